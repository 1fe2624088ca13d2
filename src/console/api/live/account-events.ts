import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { AccountPart, AccountRevisions } from '../../../core/accounts/account-revisions.ts';
import { waitForSignIn } from '../session-ended.ts';
import { createLiveStream } from './live-stream.ts';
import { createWatchers, type Clock } from './watchers.ts';

/** True while there is no server. */
export const isServerLost = signal(false);
/** False while the tab is hidden: then it has no streams. */
export const isTabVisible = signal(true);

const clock: Clock = {
  nowMs: () => performance.now(),
  later: (delayMs, work) => {
    const timer = setTimeout(work, delayMs);
    return () => clearTimeout(timer);
  },
};

const probeMsMax = 10_000;
const watchers = createWatchers(clock);

const stream = createLiveStream({
  ...clock,
  open: (stopped) => fetch('/v1/events', { signal: stopped }),
  signIn: waitForSignIn,
  probe: () =>
    fetch('/v1/session', { signal: AbortSignal.timeout(probeMsMax) }).then(
      ({ status }) => status < 500,
      () => false,
    ),
  onData: (data) => watchers.update(JSON.parse(data) as Partial<AccountRevisions>),
  onLost: () => (isServerLost.value = true),
  onBack: () => {
    isServerLost.value = false;
    watchers.refreshAll();
  },
  onPoll: watchers.refreshAll,
  random: Math.random,
});

/** Reports a request without a response, which may mean that there is no server. */
export const { reportUnanswered } = stream;

/** Follows the changes of the account while the tab is visible: one stream for all of its pages. */
export function useAccountEvents(): void {
  useEffect(() => {
    const follow = () => {
      isTabVisible.value = document.visibilityState === 'visible';
      if (isTabVisible.value) stream.start();
      else stream.stop();
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    addEventListener('online', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      removeEventListener('online', follow);
      stream.stop();
    };
  }, []);
}

/**
 * Calls `refresh` after changes of parts of the account, at most every three seconds, while the component is mounted.
 *
 * @param refresh resolves at its end; never rejects.
 */
export function useRefresh(parts: readonly AccountPart[], refresh: () => Promise<void>): void {
  useEffect(() => (parts.length === 0 ? undefined : watchers.watch(parts, refresh)), []);
}
