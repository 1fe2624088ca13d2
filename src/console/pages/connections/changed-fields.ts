/** Keeps the changed fields. Unchanged ones are not sent: another user may have changed them meanwhile. */
export function changedFields<T extends object>(after: T, before: T): Partial<T> {
  const old = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old.get(name)),
  );
  return Object.fromEntries(changed) as Partial<T>;
}
