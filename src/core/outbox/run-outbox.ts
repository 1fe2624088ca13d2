import { ShutdownError } from '../async/shutdown-error.ts';
import { sleep } from '../async/wait.ts';

/** Options of a runner. `Entry` is a claimed entry of the outbox. */
export interface OutboxOptions<Entry> {
  /** Claims up to `room` due entries for this process. */
  readonly claim: (room: number) => Promise<readonly Entry[]>;
  /** Sends an entry and records its result. When the signal aborts, it releases the entry instead. */
  readonly send: (entry: Entry, signal: AbortSignal) => Promise<void>;
  /** Maximum number of entries that this process sends at a time. */
  readonly sideBySideMax: number;
  /** Interval at which due entries are claimed. */
  readonly pollEveryMs: number;
  /** Receives every error; the runner continues. */
  readonly onError: (error: unknown) => void;
}

/** A running outbox of this process: it claims what is due and sends it. */
export interface OutboxRunner {
  /** Sends what is due now, once each, and stops. Entries still running after `graceMs` are aborted and become due again. */
  close(graceMs: number): Promise<void>;
}

/**
 * Sends the entries of an outbox until it is closed (docs/architecture/decisions/0017-outbox.md). Every entry is sent at least once: it is
 * sent again if a process dies after sending it and before recording the result.
 */
export function runOutbox<Entry>(options: OutboxOptions<Entry>): OutboxRunner {
  const cut = new AbortController();
  const underWay = new Set<Promise<void>>();
  let notifier = new AbortController();
  let isStopping = false;

  async function keepSending(): Promise<void> {
    for (;;) {
      // Entries that are due when the stop comes are still claimed, because a command that created the last one exits at once. The next
      // entry for a receiver can be claimed only after the running one, so the last claim follows the last entry.
      const isLast = isStopping && underWay.size === 0;
      for (const entry of await claimRoom()) begin(entry);
      if (isLast && underWay.size === 0) return;
      await sleep(options.pollEveryMs, notifier.signal).catch(() => undefined);
      notifier = new AbortController();
    }
  }

  async function claimRoom(): Promise<readonly Entry[]> {
    const room = options.sideBySideMax - underWay.size;
    if (room === 0 || cut.signal.aborted) return [];
    try {
      return await options.claim(room);
    } catch (error) {
      options.onError(error);
      return [];
    }
  }

  function begin(entry: Entry): void {
    const work = options
      .send(entry, cut.signal)
      .catch(options.onError)
      .finally(() => {
        underWay.delete(work);
        notifier.abort();
      });
    underWay.add(work);
  }

  const ended = keepSending();
  return {
    close: async (graceMs) => {
      isStopping = true;
      notifier.abort();
      const timer = setTimeout(() => cut.abort(new ShutdownError('The process ends.')), graceMs);
      await ended.finally(() => clearTimeout(timer));
    },
  };
}
