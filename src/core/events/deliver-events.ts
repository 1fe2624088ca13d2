import { failpoint } from '../failpoint.ts';
import { sleep } from '../async/wait.ts';
import { ShutdownError } from '../async/shutdown-error.ts';
import type { DeliveryEnd, DeliveryStore, DueDelivery } from './delivery.ts';
import type { Attempt, EventChannel } from './event-envelope.ts';
import { eventDeliveryDelayMs } from '../work/retry-policies.ts';

/** Deliveries that one process has under way at most. */
const sideBySideMax = 8;

/** Longer than an attempt may take: a claim that lapses is one whose process is gone. */
const leaseMs = 60_000;

export interface DelivererOptions {
  readonly deliveries: DeliveryStore;
  readonly channel: EventChannel;
  readonly pollEveryMs: number;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Told of every error; the deliverer goes on after it. */
  readonly onError: (error: unknown) => void;
}

/** Delivers events. */
export interface Deliverer {
  /** Delivers what is due by now, once each, and ends; what is under way after `graceMs` is cut off and due again. */
  close(graceMs: number): Promise<void>;
}

/**
 * Delivers events until it is closed. Every event arrives at least once, always under the same id: it is sent again when a process
 * dies between sending it and writing that down. Trouble with a receiver is written down and tried again; nothing else comes of it.
 */
export function startDelivering(options: DelivererOptions): Deliverer {
  const cut = new AbortController();
  const underWay = new Set<Promise<void>>();
  let notifier = new AbortController();
  let isStopping = false;

  async function keepDelivering(): Promise<void> {
    for (;;) {
      // What is due when the stop comes is still claimed, because a command that made the last event ends at once.
      // The next event to the same receiver can be claimed only after the delivery in flight, so the last claim follows the last delivery.
      const isLast = isStopping && underWay.size === 0;
      for (const delivery of await claimRoom()) begin(delivery);
      if (isLast && underWay.size === 0) return;
      await sleep(options.pollEveryMs, notifier.signal).catch(() => undefined);
      notifier = new AbortController();
    }
  }

  async function claimRoom(): Promise<readonly DueDelivery[]> {
    const room = sideBySideMax - underWay.size;
    if (room === 0 || cut.signal.aborted) return [];
    try {
      return await options.deliveries.claim(room, leaseMs);
    } catch (error) {
      options.onError(error);
      return [];
    }
  }

  function begin(delivery: DueDelivery): void {
    const work = deliver(options, delivery, cut.signal)
      .catch(options.onError)
      .finally(() => {
        underWay.delete(work);
        notifier.abort();
      });
    underWay.add(work);
  }

  const ended = keepDelivering();
  return {
    close: async (graceMs) => {
      isStopping = true;
      notifier.abort();
      const timer = setTimeout(() => cut.abort(new ShutdownError('The process ends.')), graceMs);
      await ended.finally(() => clearTimeout(timer));
    },
  };
}

async function deliver(options: DelivererOptions, delivery: DueDelivery, signal: AbortSignal): Promise<void> {
  const { deliveries, random } = options;
  failpoint('delivery:claimed');
  const attempt = await tryOnce(options, delivery, signal);
  failpoint('delivery:sent');
  if (attempt === null) return deliveries.release(delivery);
  await deliveries.end(delivery, endOf(attempt, delivery, random()));
  failpoint('delivery:written-down');
}

/** Null when it was cut off by the end of the process. */
async function tryOnce(
  { channel, onError }: DelivererOptions,
  { envelope, destination }: DueDelivery,
  signal: AbortSignal,
): Promise<Attempt | null> {
  try {
    return await channel.send(envelope, destination, signal);
  } catch (error) {
    if (signal.aborted) return null;
    // A defect of ours counts as a failed attempt, or it would be met again and again for ever.
    onError(error);
    return { kind: 'failed', status: null, error: 'it could not be put into words', retryAfterMs: null };
  }
}

function endOf(attempt: Attempt, delivery: DueDelivery, random: number): DeliveryEnd {
  if (attempt.kind !== 'failed') return attempt;
  const { status, error, retryAfterMs } = attempt;
  const waitMs = eventDeliveryDelayMs(delivery.attempt, retryAfterMs, random);
  return waitMs === null ? { kind: 'dead', status, error } : { kind: 'retry', status, error, waitMs };
}
