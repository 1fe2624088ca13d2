import { unprobed } from './mailbox-question.ts';
import type { UnprobedMailbox } from './mailbox.ts';
import { portCheck, type ProbeCheck } from './probe-readiness.ts';

export interface ProbeWatchOptions {
  readonly check: () => Promise<readonly ProbeCheck[]>;
  readonly nowMs: () => number;
  /** Told why nobody is asked, each time it turns out so. */
  readonly onUnready: (problems: readonly ProbeCheck[]) => void;
}

/** Lifetime of a readiness check. Our choice: a fix should count soon, and a working setup rarely changes. */
const readyMs = 3_600_000;
const unreadyMs = 5 * 60_000;

/** Looks before the first address, and now and then again, whether mail servers may be asked from here. */
export function createProbeWatch({ check, nowMs, onUnready }: ProbeWatchOptions): {
  /** Null when they may; else why not. */
  unavailableReason(): Promise<UnprobedMailbox | null>;
} {
  let latest: Promise<UnprobedMailbox | null> | null = null;
  let holdsUntilMs = 0;

  async function checkNow(): Promise<UnprobedMailbox | null> {
    const problems = (await check()).filter(({ status }) => status === 'problem');
    holdsUntilMs = nowMs() + (problems.length === 0 ? readyMs : unreadyMs);
    if (problems.length === 0) return null;
    onUnready(problems);
    const isPortClosed = problems.some(({ name }) => name === portCheck);
    return unprobed(isPortClosed ? 'outbound_port_25_blocked' : 'mailbox_not_probed');
  }

  return {
    unavailableReason() {
      if (latest === null || nowMs() >= holdsUntilMs) {
        holdsUntilMs = Infinity;
        latest = checkNow();
        // A check that could not be made is made again for the next address.
        latest.catch(() => (holdsUntilMs = 0));
      }
      return latest;
    },
  };
}
