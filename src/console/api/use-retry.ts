import { useEffect } from 'preact/hooks';
import { isAway, type Trouble } from './request-error.ts';

/** How long a page waits before it asks a server again that was away. Our choice. */
const retryMs = 4000;

/** Asks again every few seconds while the server is away, so that a page comes back by itself. */
export function useRetry(trouble: Trouble | undefined, retry: () => void): void {
  useEffect(() => {
    if (trouble === undefined || !isAway(trouble)) return;
    const timer = setTimeout(retry, retryMs);
    return () => clearTimeout(timer);
    // Each failure is another trouble.
  }, [trouble]);
}
