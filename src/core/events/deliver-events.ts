import { failpoint } from '../failpoint.ts';
import { runOutbox, type OutboxRunner } from '../outbox/run-outbox.ts';
import type { DeliveryEnd, DeliveryStore, DueDelivery } from './delivery.ts';
import type { Attempt, EventChannel, WebhookKind } from './event-envelope.ts';
import { outboxDelayMs } from '../work/retry-policies.ts';

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

/**
 * Delivers events until it is closed, always with the same id per event. Errors of a receiver are recorded and retried.
 */
export function startDelivering(options: DelivererOptions): OutboxRunner {
  const { deliveries, kinds, pollEveryMs, onError } = options;
  return runOutbox<DueDelivery>({
    claim: (room) => deliveries.claim(kinds, room, leaseMs),
    send: (delivery, signal) => deliver(options, delivery, signal),
    sideBySideMax,
    pollEveryMs,
    onError,
  });
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
  { envelope, receiver }: DueDelivery,
  signal: AbortSignal,
): Promise<Attempt | null> {
  try {
    return await channel.send(envelope, receiver, signal);
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
  const waitMs = outboxDelayMs(delivery.attempt, retryAfterMs, random);
  return waitMs === null ? { kind: 'dead', status, error } : { kind: 'retry', status, error, waitMs };
}
