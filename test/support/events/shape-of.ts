/** What a value is made of, whatever it says: names and types. Two of one shape are read by the same program. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (value === null || typeof value !== 'object') return typeof value === 'object' ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}
