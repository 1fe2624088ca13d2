import { useEffect, useRef } from 'preact/hooks';
import { consoleReconnect } from '../../core/work/retry-policies.ts';
import { isServerLost } from './live/account-events.ts';
import { isUnreachable, type RequestError } from './request-error.ts';

/**
 * Retries what failed without a server, so that the page recovers: once the server is back, and every few seconds while it answers other
 * requests.
 */
export function useRetry(error: RequestError | undefined, retry: () => void): void {
  const isLost = isServerLost.value;
  const hasWaited = useRef(false);
  useEffect(() => {
    if (error === undefined || !isUnreachable(error)) return;
    if (isLost) {
      hasWaited.current = true;
      return;
    }
    const timer = setTimeout(retry, hasWaited.current ? 0 : consoleReconnect.delayMsMax);
    hasWaited.current = false;
    return () => clearTimeout(timer);
    // Every failed retry is a new error object.
  }, [error, isLost]);
}
