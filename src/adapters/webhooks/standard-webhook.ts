import { Webhook } from 'standardwebhooks';
import type { Receiver, EventEnvelope } from '../../core/events/event-envelope.ts';

/** Strings in a body are truncated: a body stays below 20 kB, however long names from users are (Standard Webhooks 1.0). */
const textCharsMax = 200;

/** Body of an event: its type, time and payload. */
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
 * Headers that prove the sender and the time of a body, signed again for every attempt (Standard Webhooks 1.0, "Signature
 * scheme"), with every valid secret, so that a receiver can switch at any time.
 */
export function webhookHeaders(
  eventId: string,
  body: string,
  { secrets }: Pick<Receiver, 'secrets'>,
  now: Date,
): Readonly<Record<string, string>> {
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(eventId, now, body)).join(' '),
  };
}
