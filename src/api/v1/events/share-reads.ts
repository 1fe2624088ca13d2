/**
 * Shares the reads of callers of one key: while a read runs, and until its start is `ageMsMax` ago, every caller gets its result. A failed
 * read fails all its callers, and the next one reads again.
 *
 * Holds a result only until the next read of any key finds it outdated.
 */
export function shareReads<Key, Value>(
  read: (key: Key) => Promise<Value>,
  { ageMsMax, nowMs }: { readonly ageMsMax: number; readonly nowMs: () => number },
): (key: Key) => Promise<Value> {
  const reads = new Map<
    Key,
    { readonly value: Promise<Value>; readonly startMs: number; isRunning: boolean }
  >();

  function removeOutdated(now: number): void {
    for (const [key, { startMs, isRunning }] of reads)
      if (!isRunning && now - startMs >= ageMsMax) reads.delete(key);
  }

  return (key) => {
    const startMs = nowMs();
    removeOutdated(startMs);
    const known = reads.get(key);
    if (known !== undefined) return known.value;
    const begun = { value: read(key), startMs, isRunning: true };
    reads.set(key, begun);
    begun.value.then(
      () => (begun.isRunning = false),
      () => reads.delete(key),
    );
    return begun.value;
  };
}
