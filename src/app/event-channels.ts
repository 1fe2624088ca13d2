import { readAllowedHosts } from '../adapters/http/allowed-hosts.ts';
import { createHttpClient } from '../adapters/http/http.ts';
import { createMailer, type Mailer } from '../adapters/webhooks/mailer.ts';
import { createEventChannel } from '../adapters/webhooks/event-channel.ts';
import { readWebTarget } from '../adapters/webhooks/web-target.ts';
import type { Config, MailConfig } from '../config/config.ts';
import { formatAddress, parseAddress } from '../core/emails/syntax/address.ts';
import { emailReasons } from '../core/emails/reasons.ts';
import { ValidationError } from '../core/errors.ts';
import type { EventChannel, WebhookKind } from '../core/events/event-envelope.ts';

/** Time limit of a receiver (Standard Webhooks 1.0 says 15 to 30 s). Milliseconds. */
const attemptMs = 20_000;

/** Channels for events. */
export interface EventChannels {
  readonly channel: EventChannel;
  /** The address as it is kept. @throws ValidationError when events cannot go there. */
  readonly readTarget: (kind: WebhookKind, target: string) => string;
  readonly close: () => Promise<void>;
}

/**
 * The ways out for events, from the configuration. They have an HTTP client of their own: the hosts of the sources are the operator's
 * to name, and no account may have them called.
 */
export function openEventChannels({
  allowedHosts,
  mail,
}: Pick<Config, 'allowedHosts' | 'mail'>): EventChannels {
  const http = createHttpClient({ allowedHosts });
  const isAllowedHost = readAllowedHosts(allowedHosts);
  const mailer = mail === null ? null : openMailer(mail);
  return {
    channel: createEventChannel({ http, isAllowedHost, mailer, attemptMs, now: () => new Date() }),
    readTarget: (kind, target) =>
      kind === 'email' ? readMailTarget(target, mailer) : readWebTarget(target, isAllowedHost).href,
    close: http.close,
  };
}

/** The mail server that is set. */
export function openMailer(mail: MailConfig): Mailer {
  return createMailer({ ...mail, attemptMs });
}

function readMailTarget(target: string, mailer: Mailer | null): string {
  if (mailer === null) {
    const remedy = 'An operator sets NIGHTSHIFT_SMTP_URL and NIGHTSHIFT_MAIL_FROM.';
    throw new ValidationError(`Events cannot be sent by mail from here: no mail server is set. ${remedy}`);
  }
  const parsed = parseAddress(target);
  if (parsed.kind === 'address') return formatAddress(parsed.address);
  throw new ValidationError(`Events cannot be sent to this address: ${emailReasons[parsed.reason].message}`);
}
