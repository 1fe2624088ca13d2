/** A private character that marks a text of digits as a number. */
const mark = '\uE000';
const marked = new RegExp(`"${mark}(\\d+)"`, 'g');

/** Marks a text of digits, which becomes a number in JSON with all of its digits. Any other text stays a text. */
export function exactNumber(digits: string): string {
  return /^(0|[1-9]\d*)$/.test(digits) ? `${mark}${digits}` : digits;
}

/** JSON of a value with marked numbers; null without any. */
export function jsonWithExactNumbers(value: unknown): string | null {
  const json = JSON.stringify(value);
  const exact = json.replace(marked, '$1');
  return exact === json ? null : exact;
}
