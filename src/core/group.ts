/** Groups values by their keys. Keys and the values of each are in the order of the rows. */
export function group<Row, Key, Value>(
  rows: readonly Row[],
  entryOf: (row: Row) => readonly [Key, Value],
): ReadonlyMap<Key, readonly Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const row of rows) {
    const [key, value] = entryOf(row);
    const values = groups.get(key);
    if (values === undefined) groups.set(key, [value]);
    else values.push(value);
  }
  return groups;
}
