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
  /** Watches parts from now on, when their load begins. Returns a function that stops it. */
  readonly watch: (parts: readonly AccountPart[], refresh: () => void) => () => void;
  /** Refreshes what depends on a part with another revision. */
  readonly update: (revisions: Partial<AccountRevisions>) => void;
  /** Refreshes everything: after a time without revisions. */
  readonly refreshAll: () => void;
}

/** Minimum time between two refreshes of a load, in milliseconds: a part that changes constantly costs 20 requests per minute. */
const refreshMsMin = 3000;
/** Maximum age of a load at the first revisions with which it cannot have missed a change. */
const freshMsMax = 1000;

interface Watcher {
  readonly parts: readonly AccountPart[];
  readonly refresh: () => void;
  readonly beganMs: number;
  /** Revisions that it has; null before the first ones. */
  seen: string | null;
  refreshedMs: number;
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
    if (watcher.cancel !== null) return;
    const dueMs = Math.max(0, watcher.refreshedMs + refreshMsMin - nowMs());
    watcher.cancel = later(dueMs, () => {
      watcher.cancel = null;
      watcher.refreshedMs = nowMs();
      watcher.refresh();
    });
  }

  return {
    watch: (parts, refresh) => {
      const beganMs = nowMs();
      const watcher = { parts, refresh, beganMs, seen: textOf(parts), refreshedMs: -Infinity, cancel: null };
      watchers.add(watcher);
      return () => {
        watchers.delete(watcher);
        (watcher as Watcher).cancel?.();
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
