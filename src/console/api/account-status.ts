import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api, read, type Body } from './client.ts';
import { can } from './session.ts';

/** State of the account in the bar: its balance, and the batches under way. */
export interface AccountStatus {
  /** Available credits; null for users who cannot see them. */
  readonly credits: number | null;
  /** Batches among the newest that have not ended. */
  readonly active: readonly Body<'Batch'>[];
}

/** Newest state of the account; undefined while unknown. */
export const accountStatus = signal<AccountStatus | undefined>(undefined);

const pollMs = 15_000;
const newestCount = 50;

/**
 * Keeps `accountStatus` fresh: on each page, and periodically while a batch is under way and the page is visible. An unavailable server
 * leaves the last state in place; the pages report it.
 *
 * @param path address of the page.
 */
export function useAccountStatus(path: string): void {
  const isActive = (accountStatus.value?.active.length ?? 0) > 0;
  useEffect(() => {
    const leaving = new AbortController();
    void refresh(leaving.signal);
    return () => leaving.abort();
  }, [path]);
  useEffect(() => {
    if (!isActive) return;
    const leaving = new AbortController();
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void refresh(leaving.signal);
    }, pollMs);
    return () => {
      clearInterval(timer);
      leaving.abort();
    };
  }, [isActive]);
}

async function refresh(signal: AbortSignal): Promise<void> {
  try {
    const [balance, newest] = await Promise.all([
      can('credits:read') ? read(api.GET('/v1/credits', { signal })) : null,
      read(api.GET('/v1/batches', { params: { query: { limit: newestCount } }, signal })),
    ]);
    if (signal.aborted) return;
    accountStatus.value = {
      credits: balance?.credits ?? null,
      active: newest.batches.filter(({ state }) => state !== 'finished' && state !== 'cancelled'),
    };
  } catch {
    // The state is a convenience: the page itself reports an unavailable server.
  }
}
