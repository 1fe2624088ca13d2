/** Values by key, each made once and used for a while. */
export interface SharedReads<Value> {
  /** Returns the value of a key, and makes it if there is none or it is too old. Callers at the same time share one. */
  get(key: string, make: () => Promise<Value>): Promise<Value>;
}

export interface SharedReadsOptions {
  /** Maximum number of values; the oldest ones go. */
  readonly sizeMax: number;
  /** Maximum age of a value, in milliseconds, counted from the start of its making. */
  readonly ageMsMax: number;
  /** Clock, in milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
}

/** Creates shared reads. An error is not kept. */
export function createSharedReads<Value>({
  sizeMax,
  ageMsMax,
  now = () => performance.now(),
}: SharedReadsOptions): SharedReads<Value> {
  const reads = new Map<string, { readonly at: number; readonly value: Promise<Value> }>();

  function drop(isDropped: (read: { readonly at: number }) => boolean): void {
    for (const [key, read] of reads) if (isDropped(read)) reads.delete(key);
  }

  return {
    get(key, make) {
      const at = now();
      drop((read) => at - read.at >= ageMsMax);
      const known = reads.get(key);
      if (known !== undefined) return known.value;
      const value = make();
      const read = { at, value };
      for (const oldest of [...reads.keys()].slice(0, Math.max(0, reads.size + 1 - sizeMax)))
        reads.delete(oldest);
      reads.set(key, read);
      value.catch(() => {
        if (reads.get(key) === read) reads.delete(key);
      });
      return value;
    },
  };
}
