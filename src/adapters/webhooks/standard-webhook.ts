import { Webhook } from 'standardwebhooks';
import type { Destination, EventEnvelope } from '../../core/events/event-envelope.ts';

/** Strings in a body are cut here: a body stays below 20 kB, however long the names are that others gave (Standard Webhooks 1.0). */
const textCharsMax = 200;

/** The body of an event: what happened, when, and what it tells. */
export function webhookBody({ event, createdAt, payload }: EventEnvelope): string {
  return JSON.stringify(
    { type: event, timestamp: createdAt.toISOString(), data: payload },
    (_, value: unknown) =>
      typeof value === 'string' && value.length > textCharsMax
        ? `${value.slice(0, textCharsMax - 1)}…`
        : value,
  );
}

/**
 * The headers that prove who sent a body and when, signed anew for every attempt (Standard Webhooks 1.0, "Signature scheme"); with every
 * secret that holds, so that a receiver may change to the new one when it likes.
 */
export function webhookHeaders(
  eventId: string,
  body: string,
  { secrets }: Pick<Destination, 'secrets'>,
  now: Date,
): Readonly<Record<string, string>> {
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(eventId, now, body)).join(' '),
  };
}
