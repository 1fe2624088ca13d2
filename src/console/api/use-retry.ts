import { useEffect } from 'preact/hooks';
import { consoleReconnect } from '../../core/work/retry-policies.ts';
import { isAway, type Failure } from './request-error.ts';

/** Asks again every few seconds while the server is away, so that a page comes back by itself. */
export function useRetry(failure: Failure | undefined, retry: () => void): void {
  useEffect(() => {
    if (failure === undefined || !isAway(failure)) return;
    const timer = setTimeout(retry, consoleReconnect.delayMsMax);
    return () => clearTimeout(timer);
    // Each failure is another trouble.
  }, [failure]);
}
