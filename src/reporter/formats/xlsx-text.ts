/**
 * Matches characters that need an escape: those that XML cannot hold, that the library would drop or a reader change (CR, most
 * control characters, U+FFFD, lone surrogates, noncharacters), and an underscore that a reader would take for the start of an
 * escape.
 */
const escaped =
  // eslint-disable-next-line no-control-regex -- Control characters are what it is about.
  /_(?=x[0-9A-Fa-f]{4})|[\u0000-\u0008\u000b-\u001f\u007f-\u0084\u0086-\u009f\ufffd\p{Cs}\p{Noncharacter_Code_Point}]/gu;

/**
 * Converts a text for a sheet: a character that XML cannot hold becomes `_x000B_`, the number of its UTF-16 unit, which
 * spreadsheets show as the character (ECMA-376 Part 1, §22.9.2.19, ST_Xstring).
 */
export function sheetText(text: string): string {
  if (isNameOfObjects(text)) return escapeOf(text.slice(0, 1)) + text.slice(1);
  return text.replace(escaped, escapeOf);
}

/** The library stores texts as keys of a plain object, which has inherited keys such as `constructor`. */
function isNameOfObjects(text: string): boolean {
  return text in Object.prototype;
}

function escapeOf(character: string): string {
  let text = '';
  for (let index = 0; index < character.length; index += 1) {
    text += `_x${character.charCodeAt(index).toString(16).toUpperCase().padStart(4, '0')}_`;
  }
  return text;
}
