/** Counts the UTF-16 code units of a record, plus one per cell for the delimiter. */
export function charsOf(cells: readonly string[]): number {
  let chars = cells.length;
  for (const cell of cells) chars += cell.length;
  return chars;
}

/**
 * True when a record of `chars` code units has more bytes than allowed, as UTF-8 without its quotes.
 *
 * A code unit has at most three bytes in UTF-8, so most records need no exact count.
 */
export function isTooLarge(cells: readonly string[], chars: number, bytesMax: number): boolean {
  if (chars * 3 <= bytesMax) return false;
  const bytes = cells.reduce((sum, cell) => sum + Buffer.byteLength(cell), 0);
  return bytes + cells.length - 1 > bytesMax;
}

/**
 * Replaces each NUL in place; true when there was one.
 *
 * Postgres cannot store NUL in text. Its symbol, U+2400, marks the place.
 */
export function replaceNul(cells: string[]): boolean {
  let found = false;
  for (const [index, cell] of cells.entries()) {
    if (!cell.includes('\0')) continue;
    cells[index] = cell.replaceAll('\0', '\u2400');
    found = true;
  }
  return found;
}

/** Describes the replaced characters of a record, after those that the decoder replaced; null when nothing was replaced. */
export function describeProblems(nul: boolean, decoded: readonly string[]): string | null {
  if (!nul && decoded.length === 0) return null;
  return [...(nul ? ['contains a NUL byte (shown as \u2400)'] : []), ...decoded].join('; ');
}
