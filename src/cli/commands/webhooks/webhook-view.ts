import type { Delivery, Webhook } from '../../../core/events/webhook-store.ts';
import { formatTable } from '../../terminal/format-table.ts';

/** A webhook with the error of its newest failed delivery; null: none is pending or dead after a failure. */
export interface WebhookWithError extends Webhook {
  readonly lastError: string | null;
}

/** Formats webhooks for people: a table, and below it the errors. */
export function webhooksText(found: readonly WebhookWithError[], columnsMax: number): string {
  if (found.length === 0) return 'No webhooks yet. Add one with: nightshift webhook add NAME --url URL';
  const errors = found.flatMap(({ name, lastError }) =>
    lastError === null ? [] : [`Last error of ${name}: ${lastError}`],
  );
  return [webhookTable(found, columnsMax), ...errors].join('\n');
}

function webhookTable(found: readonly Webhook[], columnsMax: number): string {
  return formatTable(
    [
      'name',
      { title: 'kind', hide: 2 },
      { title: 'to', hide: 3 },
      'state',
      { title: 'last delivery', hide: 1 },
      'pending',
      'dead',
    ],
    found.map((webhook) => [
      webhook.name,
      webhook.kind,
      webhook.target,
      stateText(webhook),
      webhook.lastDeliveredAt ?? 'never',
      webhook.pending,
      webhook.dead,
    ]),
    columnsMax,
  );
}

/** Formats deliveries for people. */
export function deliveryTable(found: readonly Delivery[], columnsMax: number): string {
  return formatTable(
    [
      'event id',
      'event',
      'state',
      { title: 'attempts', hide: 2 },
      { title: 'last attempt', hide: 1 },
      { title: 'next attempt', hide: 3 },
      { title: 'last error', hide: 4 },
    ],
    found.map((delivery) => [
      delivery.eventId,
      delivery.event,
      delivery.state,
      delivery.attempts,
      delivery.triedAt,
      delivery.nextAt,
      delivery.lastError,
    ]),
    columnsMax,
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

/** Formats the state of a webhook with its reason. */
export function stateText({ state, stateReason }: Webhook): string {
  return stateReason === null ? state : `${state}: ${stateReason}`;
}
