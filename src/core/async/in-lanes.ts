/**
 * Does some work for each item, for a number of items at a time. After the first error, the signal of all work aborts and no more items are begun;
 * the error is thrown when all of it has ended, so that nothing goes on behind the caller.
 */
export async function inLanes<T>(
  items: Iterable<T>,
  { lanesMax, signal }: { readonly lanesMax: number; readonly signal: AbortSignal },
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const inner = AbortSignal.any([signal, stop.signal]);
  const waiting = [...items];
  const errors: unknown[] = [];
  async function workThrough(): Promise<void> {
    try {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
        inner.throwIfAborted();
        await work(item, inner);
      }
    } catch (error) {
      errors.push(error);
      stop.abort(error);
    }
  }
  await Promise.all(Array.from({ length: lanesMax }, workThrough));
  if (errors.length > 0) throw errors[0];
}
