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

/** Time limit of a receiver in milliseconds (Standard Webhooks 1.0: 15 to 30 s). */
const attemptMs = 20_000;

/** Channels for events. */
export interface EventChannels {
  readonly channel: EventChannel;
  /** Returns the target as it is stored. @throws ValidationError when events cannot be sent to it. */
  readonly readTarget: (kind: WebhookKind, target: string) => string;
  readonly close: () => Promise<void>;
}

/**
 * Opens the channels for events. They have their own HTTP client: only the operator can name hosts of sources, and no account may
 * send requests to them.
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

/** Opens the configured mail server. */
export function openMailer(mail: MailConfig): Mailer {
  return createMailer({ ...mail, attemptMs });
}

function readMailTarget(target: string, mailer: Mailer | null): string {
  if (mailer === null) {
    const remedy =
      'The operator sets NIGHTSHIFT_SMTP_URL and NIGHTSHIFT_MAIL_FROM, in .env or in the environment.';
    throw new ValidationError(`Cannot send events by e-mail: no mail server is configured. ${remedy}`);
  }
  const parsed = parseAddress(target);
  if (parsed.kind === 'address') return formatAddress(parsed.address);
  throw new ValidationError(`Cannot send events to this address: ${emailReasons[parsed.reason].message}`);
}
