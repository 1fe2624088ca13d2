/** UTF-16 code units of a record, one more per cell for what parts it from the next. */
export function charsOf(cells: readonly string[]): number {
  let chars = cells.length;
  for (const cell of cells) chars += cell.length;
  return chars;
}

/**
 * True when a record of so many characters has more bytes than allowed, as UTF-8 without its quotes.
 *
 * No character takes more than three bytes per UTF-16 code unit, so most records need no exact count.
 */
export function isTooLarge(cells: readonly string[], chars: number, bytesMax: number): boolean {
  if (chars * 3 <= bytesMax) return false;
  const bytes = cells.reduce((sum, cell) => sum + Buffer.byteLength(cell), 0);
  return bytes + cells.length - 1 > bytesMax;
}

/**
 * Replaces each NUL in place and says whether there was one.
 *
 * Postgres stores no NUL in text; its picture, U+2400, keeps the place visible.
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

/** Describes the replaced characters of a record, for people; null when nothing was replaced. */
export function describeProblems(nul: boolean, loneSurrogate: boolean): string | null {
  if (!nul && !loneSurrogate) return null;
  const problems: string[] = [];
  if (nul) problems.push('holds a NUL byte (shown as \u2400)');
  if (loneSurrogate) problems.push('holds half a character of UTF-16 (shown as \ufffd)');
  return problems.join('; ');
}
