import { useEffect } from 'preact/hooks';
import { isAway, type Failure } from './request-error.ts';

/** Retry delay while a server is unavailable. Our choice. */
const retryMs = 4000;

/** Asks again every few seconds while the server is away, so that a page comes back by itself. */
export function useRetry(failure: Failure | undefined, retry: () => void): void {
  useEffect(() => {
    if (failure === undefined || !isAway(failure)) return;
    const timer = setTimeout(retry, retryMs);
    return () => clearTimeout(timer);
    // Each failure is another trouble.
  }, [failure]);
}
