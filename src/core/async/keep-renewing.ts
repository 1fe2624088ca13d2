/**
 * Calls `renew` at this interval until the returned function is called, which resolves when no call is running any more.
 *
 * @param onError receives the error of every failed call; renewing continues.
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
