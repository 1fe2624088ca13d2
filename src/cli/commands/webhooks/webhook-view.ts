import type { Delivery, Webhook } from '../../../core/events/webhook-store.ts';
import { formatTable } from '../../terminal/output.ts';

/** Formats webhooks for people. */
export function webhookTable(found: readonly Webhook[]): string {
  return formatTable(
    ['name', 'kind', 'to', 'state', 'last delivery', 'pending', 'dead'],
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

/** Formats deliveries for people. */
export function deliveryTable(found: readonly Delivery[]): string {
  return formatTable(
    ['id', 'event', 'state', 'attempts', 'last attempt', 'next attempt', 'last error'],
    found.map((delivery) => [
      delivery.noticeId,
      delivery.event,
      delivery.state,
      delivery.attempts,
      delivery.triedAt,
      delivery.nextAt,
      delivery.lastError,
    ]),
  );
}

/** Converts a webhook to its form in `--json`. */
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

/** Converts a delivery to its form in `--json`. */
export function deliveryJson(delivery: Delivery) {
  return {
    notice: delivery.noticeId,
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

/** Formats the state of a webhook with its reason. */
export function stateText({ state, stateReason }: Webhook): string {
  return stateReason === null ? state : `${state}: ${stateReason}`;
}
