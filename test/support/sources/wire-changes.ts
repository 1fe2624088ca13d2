export { keyPaths } from '../../../src/core/sources/reply-shape.ts';

/** Renames a key everywhere in a value. */
export function renameKey(value: unknown, path: string): unknown {
  return changeKeys(value, '', (at, key, inner) => [at === path ? `${key}_renamed` : key, inner]);
}

/** Replaces the value of a key everywhere in a value. */
export function setValue(value: unknown, path: string, other: unknown): unknown {
  return changeKeys(value, '', (at, key, inner) => [key, at === path ? other : inner]);
}

type Change = (path: string, key: string, value: unknown) => readonly [string, unknown];

function changeKeys(value: unknown, at: string, change: Change): unknown {
  if (Array.isArray(value)) return value.map((each) => changeKeys(each, `${at}[]`, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const path = at === '' ? key : `${at}.${key}`;
      return change(path, key, changeKeys(inner, path, change));
    }),
  );
}
