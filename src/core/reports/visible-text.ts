/** Line ends and tabs, which a line of text has as a blank. */
const blanks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/** Invisible characters: soft hyphens, blanks without a width, byte order marks. */
const widthless = /[\u00ad\u200b\u2060\ufeff]/g;
/**
 * Characters that steer how others are shown, and halves of characters. The joiners U+200C and U+200D are spelling in some scripts and
 * stay.
 */
const steering = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Noncharacter_Code_Point}]/gu;

/**
 * A foreign text as one line in which everything can be seen: what would turn the direction of the text around it, hide in it or drive a
 * terminal is written as its number, `[U+202E]`.
 */
export function visibleText(text: string): string {
  return text.replace(blanks, ' ').replace(widthless, '').replace(steering, numberOf);
}

function numberOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}

/** A text of `charsMax` characters at most; a longer one is cut between two of them and ends in `…`. */
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

/** The same of a text of several lines: line ends and tabs stay. */
export function visibleLines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => line.split('\t').map(visibleText).join('\t'))
    .join('\n');
}
