import { useEffect } from 'preact/hooks';
import { isUnreachable, type RequestError } from './request-error.ts';

/** Retry delay while a server is unavailable. Our choice. */
const retryMs = 4000;

/** Retries every few seconds while the server is unavailable, so that the page recovers. */
export function useRetry(error: RequestError | undefined, retry: () => void): void {
  useEffect(() => {
    if (error === undefined || !isUnreachable(error)) return;
    const timer = setTimeout(retry, retryMs);
    return () => clearTimeout(timer);
    // Every failed retry is a new error object.
  }, [error]);
}
