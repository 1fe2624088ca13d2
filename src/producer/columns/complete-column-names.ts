/**
 * Completes the column names of a header: one without a name becomes `column_3` by its position, a repeated one gets the first free suffix
 * of `_2`, `_3`, …. Blanks around a name are removed.
 */
export function completeColumnNames(cells: readonly string[]): readonly string[] {
  const plain = cells.map((cell, index) => cell.trim() || `column_${index + 1}`);
  const taken = new Set(plain);
  const seen = new Set<string>();
  return plain.map((name) => {
    const free = seen.has(name) ? freeName(name, taken) : name;
    seen.add(free);
    taken.add(free);
    return free;
  });
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let suffix = 2;
  while (taken.has(`${name}_${suffix}`)) suffix += 1;
  return `${name}_${suffix}`;
}
