import { failpoint } from '../failpoint.ts';
import { sleep } from '../async/wait.ts';
import { ShutdownError } from '../async/shutdown-error.ts';
import type { DeliveryEnd, DeliveryStore, DueDelivery } from './delivery.ts';
import type { Attempt, EventChannel, WebhookKind } from './event-envelope.ts';
import { eventDeliveryDelayMs } from '../work/retry-policies.ts';

/** Maximum number of concurrent deliveries of a process. */
const sideBySideMax = 8;

/** Longer than an attempt may take: an expired claim belongs to a dead process. */
const leaseMs = 60_000;

export interface DelivererOptions {
  readonly deliveries: DeliveryStore;
  readonly channel: EventChannel;
  /** Kinds of webhooks that this process delivers to; the others wait for another process. */
  readonly kinds: readonly WebhookKind[];
  readonly pollEveryMs: number;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Receives every error; delivering continues. */
  readonly onError: (error: unknown) => void;
}

/** Delivers events. */
export interface Deliverer {
  /** Delivers what is due now, once each, and stops. Deliveries still running after `graceMs` are aborted and become due again. */
  close(graceMs: number): Promise<void>;
}

/**
 * Delivers events until it is closed. Every event is delivered at least once, always with the same id: it is sent again if a
 * process dies after sending it and before recording the result. Errors of a receiver are recorded and retried.
 */
export function startDelivering(options: DelivererOptions): Deliverer {
  const cut = new AbortController();
  const underWay = new Set<Promise<void>>();
  let notifier = new AbortController();
  let isStopping = false;

  async function keepDelivering(): Promise<void> {
    for (;;) {
      // Deliveries that are due when the stop comes are still claimed, because a command that emitted the last event exits at
      // once. The next event for a receiver can be claimed only after the running delivery, so the last claim follows the last
      // delivery.
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
      return await options.deliveries.claim(options.kinds, room, leaseMs);
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

/** Null when the end of the process aborted it. */
async function tryOnce(
  { channel, onError }: DelivererOptions,
  { envelope, destination }: DueDelivery,
  signal: AbortSignal,
): Promise<Attempt | null> {
  try {
    return await channel.send(envelope, destination, signal);
  } catch (error) {
    if (signal.aborted) return null;
    // A bug of ours counts as a failed attempt; otherwise the delivery would be retried forever.
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
