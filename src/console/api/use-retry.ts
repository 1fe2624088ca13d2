import { useEffect } from 'preact/hooks';
import { consoleReconnect } from '../../core/work/retry-policies.ts';
import { isUnreachable, type RequestError } from './request-error.ts';

/** Retries every few seconds while the server is unavailable, so that the page recovers. */
export function useRetry(error: RequestError | undefined, retry: () => void): void {
  useEffect(() => {
    if (error === undefined || !isUnreachable(error)) return;
    const timer = setTimeout(retry, consoleReconnect.delayMsMax);
    return () => clearTimeout(timer);
    // Every failed retry is a new error object.
  }, [error]);
}
