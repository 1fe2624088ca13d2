import type { AccountPart, AccountRevisions } from '../../../core/accounts/account-revisions.ts';

/** Runs work after a delay, unless it is cancelled. */
type Later = (delayMs: number, work: () => void) => () => void;

/** Time and timers. */
export interface Clock {
  readonly nowMs: () => number;
  readonly later: Later;
}

/** Loads that depend on parts of the account. */
export interface Watchers {
  /**
   * Watches parts from now on, when their load begins. Returns a function that stops it.
   *
   * @param refresh resolves at its end; never rejects.
   */
  readonly watch: (parts: readonly AccountPart[], refresh: Refresh) => () => void;
  /** Refreshes what depends on a part with another revision. */
  readonly update: (revisions: Partial<AccountRevisions>) => void;
  /** Refreshes everything: after a time without revisions. */
  readonly refreshAll: () => void;
}

type Refresh = () => Promise<void>;

/**
 * Minimum time from the start of a refresh to the next one, in milliseconds: a part that changes constantly costs 20 requests per minute. Slow
 * ones wait longer: refreshes take at most a twentieth of the time.
 */
const refreshMsMin = 3000;
const waitPerCost = 20;
/** Maximum age of a load at the first revisions with which it cannot have missed a change. */
const freshMsMax = 1000;

interface Watcher {
  readonly parts: readonly AccountPart[];
  readonly refresh: Refresh;
  readonly beganMs: number;
  /** Revisions that it has; null before the first ones. */
  seen: string | null;
  /** Time of the next refresh, at the earliest. */
  nextMs: number;
  /** Cancels the refresh that is due; null without one. */
  cancel: (() => void) | null;
}

/** Creates the watchers of a page: each refreshes after a change of its parts, at most every three seconds, and does not miss the last one. */
export function createWatchers({ nowMs, later }: Clock): Watchers {
  const watchers = new Set<Watcher>();
  let current: Partial<AccountRevisions> | null = null;

  const textOf = (parts: readonly AccountPart[]) =>
    current === null ? null : parts.map((part) => current?.[part] ?? '').join(' ');

  function refreshSoon(watcher: Watcher): void {
    watcher.cancel ??= later(Math.max(0, watcher.nextMs - nowMs()), () => {
      watcher.cancel = null;
      // The refresh before may have ended since, and was slow.
      if (nowMs() < watcher.nextMs) refreshSoon(watcher);
      else void refreshNow(watcher);
    });
  }

  async function refreshNow(watcher: Watcher): Promise<void> {
    const startMs = nowMs();
    watcher.nextMs = startMs + refreshMsMin;
    await watcher.refresh();
    const costMs = nowMs() - startMs;
    watcher.nextMs = Math.max(watcher.nextMs, startMs + costMs * waitPerCost);
  }

  return {
    watch: (parts, refresh) => {
      const beganMs = nowMs();
      const watcher: Watcher = { parts, refresh, beganMs, seen: textOf(parts), nextMs: 0, cancel: null };
      watchers.add(watcher);
      return () => {
        watchers.delete(watcher);
        watcher.cancel?.();
      };
    },
    update: (revisions) => {
      current = revisions;
      for (const watcher of watchers) {
        const { seen, parts, beganMs } = watcher;
        watcher.seen = textOf(parts);
        const isChanged = seen === null ? nowMs() - beganMs > freshMsMax : seen !== watcher.seen;
        if (isChanged) refreshSoon(watcher);
      }
    },
    refreshAll: () => watchers.forEach(refreshSoon),
  };
}
