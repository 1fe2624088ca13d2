import { ValidationError } from '../../core/errors.ts';
import { bareMessage, messageOf } from '../../core/events/messages/message-of.ts';
import type { Message } from '../../core/events/messages/message.ts';
import type { Attempt, Destination, Notice, NoticeChannel } from '../../core/events/event-envelope.ts';
import type { IsAllowedHost } from '../http/allowed-hosts.ts';
import type { HttpClient } from '../http/http.ts';
import type { Mailer } from './mailer.ts';
import { postNotice } from './post-event.ts';
import { slackBody } from './slack-body.ts';
import { webhookBody, webhookHeaders } from './standard-webhook.ts';
import { readWebTarget } from './web-target.ts';
import { readNews } from './wire.ts';

export interface NoticeChannelOptions {
  readonly http: Pick<HttpClient, 'send'>;
  readonly isAllowedHost: IsAllowedHost;
  /** Null: no mail server is set. */
  readonly mailer: Mailer | null;
  readonly now: () => Date;
  /** Time limit of one attempt, in milliseconds. */
  readonly attemptMs: number;
}

/** Sends notices to wherever they go: signed bodies to webhooks, words to people. */
export function createNoticeChannel(options: NoticeChannelOptions): NoticeChannel {
  const send: Readonly<Record<Destination['kind'], NoticeChannel['send']>> = {
    webhook: (notice, destination, signal) => {
      const body = webhookBody(notice);
      const headers = webhookHeaders(notice.noticeId, body, destination, options.now());
      return post(options, destination, { body, headers }, signal);
    },
    slack: (notice, destination, signal) =>
      post(options, destination, { body: slackBody(composeMessage(notice)), headers: {} }, signal),
    email: ({ noticeId, ...notice }, { target: to }, signal) =>
      options.mailer === null
        ? Promise.resolve(failed('no mail server is set (NIGHTSHIFT_SMTP_URL)'))
        : options.mailer.send({ noticeId, to, message: composeMessage({ noticeId, ...notice }) }, signal),
  };
  return { send: (notice, destination, signal) => send[destination.kind](notice, destination, signal) };
}

function composeMessage({ event, about, noticeId, timeZone }: Notice): Message {
  const news = readNews(event, about);
  return news === null ? bareMessage(event, noticeId) : messageOf(news, timeZone);
}

/** Posts an event. The address is validated again: the operator's settings may have changed since the webhook was created. */
async function post(
  { http, isAllowedHost, attemptMs: deadlineMs }: NoticeChannelOptions,
  { target }: Destination,
  content: { readonly body: string; readonly headers: Readonly<Record<string, string>> },
  signal: AbortSignal,
): Promise<Attempt> {
  try {
    const url = readWebTarget(target, isAllowedHost);
    return await postNotice(http, { url, deadlineMs, ...content }, signal);
  } catch (error) {
    if (error instanceof ValidationError) return failed(error.message);
    throw error;
  }
}

function failed(error: string): Attempt {
  return { kind: 'failed', status: null, error, retryAfterMs: null };
}
