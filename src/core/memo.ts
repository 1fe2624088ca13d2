/** Values by key, as far as they were needed. */
export interface Memo<Key, Value> {
  /** Returns the value of a key, which it makes on the first call. */
  get(key: Key, make: (key: Key) => Value): Value;
  clear(): void;
}

/** Creates a memo of up to `sizeMax` values. When it is full, it starts over: that costs less than to know the oldest. */
export function createMemo<Key, Value>(sizeMax: number): Memo<Key, Value> {
  const values = new Map<Key, Value>();
  return {
    get(key, make) {
      const known = values.get(key);
      if (known !== undefined) return known;
      const value = make(key);
      if (values.size >= sizeMax) values.clear();
      values.set(key, value);
      return value;
    },
    clear: () => values.clear(),
  };
}
