/**
 * Completes the column names of a header: a blank one becomes `column_3` by its position, a repeated one gets the first free suffix of
 * `_2`, `_3`, …. Commas become blanks, because the option for column names separates them by commas.
 */
export function dedupeColumnNames(cells: readonly string[]): readonly string[] {
  const plain = cells.map(
    (cell, index) => cell.replaceAll(',', ' ').trim().slice(0, charactersMax) || `column_${index + 1}`,
  );
  const taken = new Set(plain);
  const seen = new Set<string>();
  return plain.map((name) => {
    const free = seen.has(name) ? freeName(name, taken) : name;
    seen.add(free);
    taken.add(free);
    return free;
  });
}

/** Maximum length of a column name; longer text is a cell of data. */
const charactersMax = 60;

function freeName(name: string, taken: ReadonlySet<string>): string {
  let suffix = 2;
  while (taken.has(`${name}_${suffix}`)) suffix += 1;
  return `${name}_${suffix}`;
}
