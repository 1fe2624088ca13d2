/** Paths of keys below another: `keysUnder('ads[]', ['start'])` is `ads[].start`. */
export function keysUnder(path: string, keys: readonly string[]): readonly string[] {
  return keys.map((key) => `${path}.${key}`);
}
