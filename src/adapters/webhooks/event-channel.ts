import { ValidationError } from '../../core/errors.ts';
import { bareMessage, messageOf } from '../../core/events/messages/message-of.ts';
import type { Message } from '../../core/events/messages/message.ts';
import type { Attempt, Receiver, EventEnvelope, EventChannel } from '../../core/events/event-envelope.ts';
import type { IsAllowedHost } from '../http/allowed-hosts.ts';
import type { HttpClient } from '../http/http.ts';
import type { Mailer } from './mailer.ts';
import { postEvent } from './post-event.ts';
import { slackBody } from './slack-body.ts';
import { webhookBody, webhookHeaders } from './standard-webhook.ts';
import { readWebTarget } from './web-target.ts';
import { parsePayload } from './wire.ts';

export interface EventChannelOptions {
  readonly http: Pick<HttpClient, 'send'>;
  readonly isAllowedHost: IsAllowedHost;
  /** Null: no mail server is configured. */
  readonly mailer: Mailer | null;
  readonly now: () => Date;
  /** Time limit of one attempt, in milliseconds. */
  readonly attemptMs: number;
}

/** Creates the channel for all kinds of webhooks: signed bodies for programs, messages for people. */
export function createEventChannel(options: EventChannelOptions): EventChannel {
  const send: Readonly<Record<Receiver['kind'], EventChannel['send']>> = {
    webhook: (envelope, receiver, signal) => {
      const body = webhookBody(envelope);
      const headers = webhookHeaders(envelope.eventId, body, receiver, options.now());
      return post(options, receiver, { body, headers }, signal);
    },
    slack: (envelope, receiver, signal) =>
      post(options, receiver, { body: slackBody(composeMessage(envelope)), headers: {} }, signal),
    email: (envelope, { target: to }, signal) =>
      options.mailer === null
        ? Promise.resolve(failed('no mail server is set (NIGHTSHIFT_SMTP_URL)'))
        : options.mailer.send({ eventId: envelope.eventId, to, message: composeMessage(envelope) }, signal),
  };
  return { send: (envelope, receiver, signal) => send[receiver.kind](envelope, receiver, signal) };
}

function composeMessage({ event, payload, eventId, timeZone }: EventEnvelope): Message {
  const parsed = parsePayload(event, payload);
  return parsed === null ? bareMessage(event, eventId) : messageOf(parsed, timeZone);
}

/** Posts an event. The URL is validated again: the operator's settings may have changed since the webhook was created. */
async function post(
  { http, isAllowedHost, attemptMs: deadlineMs }: EventChannelOptions,
  { target }: Receiver,
  content: { readonly body: string; readonly headers: Readonly<Record<string, string>> },
  signal: AbortSignal,
): Promise<Attempt> {
  try {
    const url = readWebTarget(target, isAllowedHost);
    return await postEvent(http, { url, deadlineMs, ...content }, signal);
  } catch (error) {
    if (error instanceof ValidationError) return failed(error.message);
    throw error;
  }
}

function failed(error: string): Attempt {
  return { kind: 'failed', status: null, error, retryAfterMs: null };
}
