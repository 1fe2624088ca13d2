/**
 * Names for all columns of a header that lacks some or repeats one: blank ones are called `column_3` after their place, repeated ones
 * get the first free suffix of `_2`, `_3`, …. Commas become blanks, because the option that names columns parts them by commas.
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
