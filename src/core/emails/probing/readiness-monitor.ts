import { unprobed, type UnprobedMailbox } from './mailbox.ts';
import { portCheck, type ProbeCheck } from './probe-readiness.ts';

export interface ReadinessMonitorOptions {
  readonly check: () => Promise<readonly ProbeCheck[]>;
  readonly nowMs: () => number;
  /** Receives the problems of each check that finds some. */
  readonly onUnready: (problems: readonly ProbeCheck[]) => void;
}

/** Checks whether this machine can probe, before the first address and then at intervals. */
export interface ReadinessMonitor {
  /** Null while it can; else the reason why mailboxes are not probed. */
  unavailableReason(): Promise<UnprobedMailbox | null>;
}

/** Lifetime of a check. Our choice: a repair should take effect soon, and a working setup rarely changes. */
const readyMs = 3_600_000;
const unreadyMs = 5 * 60_000;

/** All callers share one check until it expires. */
export function createReadinessMonitor(options: ReadinessMonitorOptions): ReadinessMonitor {
  const { check, nowMs, onUnready } = options;
  let latest: Promise<UnprobedMailbox | null> | null = null;
  let expiresAtMs = 0;

  async function checkNow(): Promise<UnprobedMailbox | null> {
    const problems = (await check()).filter(({ status }) => status === 'problem');
    expiresAtMs = nowMs() + (problems.length === 0 ? readyMs : unreadyMs);
    if (problems.length === 0) return null;
    onUnready(problems);
    const isPortClosed = problems.some(({ name }) => name === portCheck);
    return unprobed(isPortClosed ? 'outbound_port_25_blocked' : 'mailbox_not_probed');
  }

  return {
    unavailableReason() {
      if (latest === null || nowMs() >= expiresAtMs) {
        expiresAtMs = Infinity;
        latest = checkNow();
        // The next address repeats a check that failed.
        latest.catch(() => (expiresAtMs = 0));
      }
      return latest;
    },
  };
}
