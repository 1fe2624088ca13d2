import type { Delivery, Webhook } from '../../../core/events/webhook-store.ts';
import { formatTable } from '../../terminal/output.ts';

/** Webhooks for people. */
export function webhookTable(found: readonly Webhook[]): string {
  return formatTable(
    ['name', 'kind', 'to', 'state', 'last delivery', 'on their way', 'given up'],
    found.map((webhook) => [
      webhook.name,
      webhook.kind,
      webhook.target,
      stateText(webhook),
      webhook.lastDeliveredAt ?? 'never',
      webhook.pending,
      webhook.dead,
    ]),
  );
}

/** Deliveries for people. */
export function deliveryTable(found: readonly Delivery[]): string {
  return formatTable(
    ['event id', 'event', 'state', 'attempts', 'last tried', 'next', 'what went wrong'],
    found.map((delivery) => [
      delivery.eventId,
      delivery.event,
      delivery.state,
      delivery.attempts,
      delivery.triedAt,
      delivery.nextAt,
      delivery.lastError,
    ]),
  );
}

/** A webhook as `--json` prints it. */
export function webhookJson(webhook: Webhook) {
  return {
    id: webhook.webhookId,
    name: webhook.name,
    kind: webhook.kind,
    target: webhook.target,
    events: webhook.events,
    state: webhook.state,
    reason: webhook.stateReason,
    secretBeforeUntil: webhook.secretBeforeUntil,
    pending: webhook.pending,
    dead: webhook.dead,
    lastDeliveredAt: webhook.lastDeliveredAt,
    createdAt: webhook.createdAt,
  };
}

/** A delivery as `--json` prints it. */
export function deliveryJson(delivery: Delivery) {
  return {
    eventId: delivery.eventId,
    event: delivery.event,
    state: delivery.state,
    attempts: delivery.attempts,
    triedAt: delivery.triedAt,
    nextAt: delivery.nextAt,
    deliveredAt: delivery.deliveredAt,
    lastStatus: delivery.lastStatus,
    lastError: delivery.lastError,
    createdAt: delivery.createdAt,
  };
}

/** Its state, and why. */
export function stateText({ state, stateReason }: Webhook): string {
  return stateReason === null ? state : `${state}: ${stateReason}`;
}
