import { z } from '@hono/zod-openapi';
import { eventTypes } from '../../../core/events/event.ts';
import { webhookKinds, type WebhookKind } from '../../../core/events/event-envelope.ts';
import type { TestedWebhook } from '../../../core/events/webhook-service.ts';
import {
  deliveryStates,
  type CreatedWebhook,
  type Delivery,
  type Webhook,
} from '../../../core/events/webhook-store.ts';
import { Problem } from '../../http/problem.ts';
import { text } from '../../http/text.ts';
import { nextCursor } from '../../http/pages.ts';

const count = z.int().min(0);
const moment = z.iso.datetime();
const eventNames = z.array(z.enum(eventTypes)).min(1);

/** Body of a webhook. */
export const webhookBody = z
  .object({
    id: z.string().openapi({ example: 'whk_01a1ff734ad87655b2c761ba36458456' }),
    name: z.string(),
    kind: z.enum(webhookKinds).openapi({
      description:
        '`webhook` receives signed bodies (Standard Webhooks), `slack` and `email` receive messages.',
    }),
    target: z.string().openapi({ description: 'Target URL or address, without its secret part.' }),
    events: eventNames,
    state: z.enum(['unconfirmed', 'active', 'disabled', 'removed']).openapi({
      description:
        '`unconfirmed`: no events are sent until the mailbox is confirmed. `disabled`: no events are sent until the webhook is enabled again.',
    }),
    reason: z
      .string()
      .nullable()
      .openapi({ description: 'Reason why the webhook was disabled. Otherwise null.' }),
    secret_before_until: moment.nullable().openapi({
      description:
        'Time until which bodies are also signed with the secret before the last rotation. Null without one.',
    }),
    pending: count.openapi({ description: 'Number of pending events.' }),
    dead: count.openapi({ description: 'Number of events that Nightshift stopped trying to deliver.' }),
    last_delivered_at: moment.nullable(),
    created_at: moment,
  })
  .openapi('Webhook');

export const webhookListBody = z
  .object({
    webhooks: z.array(webhookBody),
    mail_from: z.string().nullable().openapi({
      description:
        'Sender of mails. Null: no mail server is configured, and no mailbox can be added. The operator sets `NIGHTSHIFT_SMTP_URL` and `NIGHTSHIFT_MAIL_FROM`.',
      example: 'nightshift@example.com',
    }),
  })
  .openapi('WebhookList');

export const createdWebhookBody = webhookBody
  .extend({
    secret: z.string().nullable().openapi({
      description: 'Signing secret of the bodies. Returned only once. Null for `slack` and `email`.',
    }),
  })
  .openapi('CreatedWebhook');

const name = text().min(1).max(100);
/** Targets of a webhook: one of the three. */
const targets = {
  url: text().max(2000).optional().openapi({ description: 'HTTPS URL that receives signed bodies.' }),
  slack_url: text().max(2000).optional().openapi({ description: 'URL of an incoming webhook of Slack.' }),
  email: text().max(320).optional().openapi({ description: 'E-mail address of a mailbox.' }),
};

export const webhookRequest = z
  .strictObject({
    name: name.openapi({ description: 'Name of the webhook, unique in the account.' }),
    ...targets,
    events: eventNames
      .optional()
      .openapi({ description: 'Event types that the webhook receives. Default: all.' }),
  })
  .openapi('WebhookRequest');

export const webhookChangeRequest = z
  .strictObject({
    name: name.optional(),
    ...targets,
    events: eventNames.optional(),
    state: z.enum(['active', 'disabled']).optional(),
  })
  .openapi('WebhookChangeRequest');

export const testedWebhookBody = z
  .object({
    event_id: z.string().openapi({ description: 'The `webhook-id` of the event.' }),
    delivered: z.boolean(),
    status: z
      .int()
      .nullable()
      .openapi({ description: 'HTTP status or SMTP code of the response. Null without a response.' }),
    error: z.string().nullable().openapi({ description: 'Error of the delivery. Null if it was delivered.' }),
  })
  .openapi('TestedWebhook');

export const deliveryBody = z
  .object({
    event_id: z.string().openapi({ description: 'The `webhook-id` of every attempt.' }),
    event: z.string(),
    state: z.enum(deliveryStates).openapi({
      description: 'State of the delivery. A `dead` event is not sent again unless it is replayed.',
    }),
    attempts: count,
    tried_at: moment.nullable(),
    next_at: moment.nullable().openapi({ description: 'Time of the next attempt. Null if there is none.' }),
    delivered_at: moment.nullable(),
    last_status: z.int().nullable(),
    last_error: z.string().nullable(),
    created_at: moment,
  })
  .openapi('Delivery');

export const deliveryListBody = z
  .object({
    deliveries: z.array(deliveryBody),
    next: nextCursor,
  })
  .openapi('DeliveryList');

export const replayRequest = z
  .strictObject({
    event_id: text()
      .max(100)
      .optional()
      .openapi({ description: 'Replay this event, even if it was delivered.' }),
    dead: z.boolean().optional().openapi({ description: '`true`: replay all dead events.' }),
    since: text().max(40).optional().openapi({
      description:
        'Replay all undelivered events of the last minutes, hours or days, such as `30m`, `12h`, `7d`.',
      example: '7d',
    }),
  })
  .openapi('ReplayRequest');
export type ReplayRequest = z.infer<typeof replayRequest>;

export const replayBody = z
  .object({ replayed: count.openapi({ description: 'Number of events that are sent again immediately.' }) })
  .openapi('Replay');

export const webhookId = z.object({
  id: z
    .string()
    .openapi({ param: { name: 'id', in: 'path' }, example: 'whk_01a1ff734ad87655b2c761ba36458456' }),
});

interface Targets {
  readonly url?: string | undefined;
  readonly slack_url?: string | undefined;
  readonly email?: string | undefined;
}

/** Target of a webhook; null without one. @throws Problem when several are given */
export function targetOf({ url, slack_url: slack, email }: Targets): {
  readonly kind: WebhookKind;
  readonly target: string;
} | null {
  const given = [
    { kind: 'webhook', target: url },
    { kind: 'slack', target: slack },
    { kind: 'email', target: email },
  ].flatMap(({ kind, target }) => (target === undefined ? [] : [{ kind: kind as WebhookKind, target }]));
  if (given.length > 1) throw oneOfThree();
  return given[0] ?? null;
}

export function oneOfThree(): Problem {
  return new Problem('validation_error', { titles: ['url, slack_url, email: give exactly one of them'] });
}

export function toWebhookBody(webhook: Webhook): z.infer<typeof webhookBody> {
  return {
    id: webhook.webhookId,
    name: webhook.name,
    kind: webhook.kind,
    target: webhook.target,
    events: [...webhook.events],
    state: webhook.state,
    reason: webhook.stateReason,
    secret_before_until: webhook.secretBeforeUntil?.toISOString() ?? null,
    pending: webhook.pending,
    dead: webhook.dead,
    last_delivered_at: webhook.lastDeliveredAt?.toISOString() ?? null,
    created_at: webhook.createdAt.toISOString(),
  };
}

export function toCreatedWebhookBody(created: CreatedWebhook): z.infer<typeof createdWebhookBody> {
  return { ...toWebhookBody(created), secret: created.secret };
}

export function toTestedWebhookBody({ eventId, attempt }: TestedWebhook): z.infer<typeof testedWebhookBody> {
  const isDelivered = attempt.kind === 'delivered';
  return {
    event_id: eventId,
    delivered: isDelivered,
    status: attempt.status,
    error: isDelivered ? null : attempt.error,
  };
}

export function toDeliveryBody(delivery: Delivery): z.infer<typeof deliveryBody> {
  return {
    event_id: delivery.eventId,
    event: delivery.event,
    state: delivery.state,
    attempts: delivery.attempts,
    tried_at: delivery.triedAt?.toISOString() ?? null,
    next_at: delivery.nextAt?.toISOString() ?? null,
    delivered_at: delivery.deliveredAt?.toISOString() ?? null,
    last_status: delivery.lastStatus,
    last_error: delivery.lastError,
    created_at: delivery.createdAt.toISOString(),
  };
}
