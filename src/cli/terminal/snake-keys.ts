/**
 * A value of ours as `--json` shows it: keys in snake_case, like the API's and the views'. Values stay as they are, and so do keys
 * that have an underscore already.
 */
export function snakeKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeKeys);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [toSnake(key), snakeKeys(inner)]));
}

function toSnake(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
