/** Truncates a text that is too long: it then ends in `…`. Never cuts a surrogate pair in half. */
export function boundedText(text: string | null, charsMax: number): string | null {
  if (text === null || isShort(text, charsMax)) return text;
  return `${text.slice(0, charsMax - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Null for a text that is too long, because a part of it would mean something else. */
export function shortOrNone(text: string | null, charsMax: number): string | null {
  return isShort(text, charsMax) ? text : null;
}

/** True for null and for a text of at most this length. */
export function isShort(text: string | null, charsMax: number): boolean {
  return text === null || text.length <= charsMax;
}
