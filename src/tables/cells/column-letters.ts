/** Returns the letters of a column, from 0: A, …, Z, AA. */
export function columnLetters(column: number): string {
  let letters = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(0x41 + ((rest - 1) % 26)) + letters;
  return letters;
}

/** Returns the column of a reference such as `AB12`, from 0; -1 when it has none. */
export function columnOf(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length; at += 1) {
    // Lower case too: other programs write it.
    const letter = (reference.charCodeAt(at) & ~0x20) - 0x41;
    if (letter < 0 || letter > 25) break;
    column = column * 26 + letter + 1;
    if (column > 1_000_000) break;
  }
  return column - 1;
}
