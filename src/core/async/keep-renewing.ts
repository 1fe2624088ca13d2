/**
 * Calls `renew` every so many milliseconds until the answer is called, which resolves when no call is under way any more.
 *
 * @param onError told of every call that fails; the next one comes all the same.
 */
export function keepRenewing(
  renew: () => Promise<unknown>,
  { everyMs, onError }: { readonly everyMs: number; readonly onError: (error: unknown) => void },
): () => Promise<void> {
  let latest: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    latest = renew().catch(onError);
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await latest;
  };
}
