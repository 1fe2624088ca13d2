/** Line ends and tabs, which become a space. */
const blanks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/** Invisible characters: soft hyphens, zero-width spaces, byte order marks. */
const widthless = /[\u00ad\u200b\u2060\ufeff]/g;
/**
 * Characters that control how others are shown, and lone surrogates. The joiners U+200C and U+200D belong to the spelling of
 * some scripts and stay.
 */
const steering = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Noncharacter_Code_Point}]/gu;

/**
 * Formats untrusted text as one line with only visible characters: a character that would change the direction of text, hide in
 * it or control a terminal becomes its code, `[U+202E]`.
 */
export function visibleText(text: string): string {
  return text.replace(blanks, ' ').replace(widthless, '').replace(steering, numberOf);
}

function numberOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}

/** Shortens a text to `charsMax` characters. A longer text is cut between characters and ends in `…`. */
export function shorten(text: string, charsMax: number): string {
  const trimmed = text.trim();
  if (trimmed.length <= charsMax) return trimmed;
  const characters = [...trimmed];
  if (characters.length <= charsMax) return trimmed;
  return `${characters
    .slice(0, charsMax - 1)
    .join('')
    .trimEnd()}…`;
}

/** Like `visibleText`, for text of several lines: line ends and tabs stay. */
export function visibleLines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => line.split('\t').map(visibleText).join('\t'))
    .join('\n');
}
