import pLimit from 'p-limit';
import { createMailDomainStore } from '../../db/stores/emails/mail-domains.ts';
import { createMailboxStore } from '../../db/stores/emails/mailboxes.ts';
import { createPostgresProbeLimiter } from '../../db/stores/emails/probe-limiter.ts';
import type { HttpClient } from '../adapters/http/http.ts';
import type { Mailer } from '../adapters/webhooks/mailer.ts';
import type { Closers } from '../closers.ts';
import type { Config } from '../config/config.ts';
import type { IdentityProvider } from '../core/accounts/identity-provider.ts';
import type { OptOuts } from '../core/emails/probing/opt-outs.ts';
import type { EmailValidator } from '../core/validation/validate-email.ts';
import type { WebhookServiceOptions } from '../core/events/webhook-service.ts';
import { once } from '../core/async/once.ts';
import { ShutdownError } from '../core/async/shutdown-error.ts';
import type { EmailServiceOptions } from './email-service.ts';
import { readNamedHosts } from './sources/live-sources.ts';
import type { Logger } from '../log.ts';
import type { Servers } from './servers.ts';

/** Creates channels for events that open with the first event: most commands send none. */
export function openEventsLazily(
  config: Config,
  closers: Closers,
): Pick<WebhookServiceOptions, 'channel' | 'readTarget'> {
  const open = once(async () => {
    const { openEventChannels } = await import('./event-channels.ts');
    return closers.add(openEventChannels(config), (opened) => opened.close());
  });
  return {
    channel: { send: async (...event) => (await open()).channel.send(...event) },
    readTarget: async (...target) => (await open()).readTarget(...target),
  };
}

/** Creates an identity provider that opens with the first sign-in: most processes have none. */
export function openProviderLazily(config: Config, closers: Closers): IdentityProvider | null {
  const { identityProvider } = config;
  if (identityProvider === null) return null;
  const open = once(async () => {
    const { openIdentityProvider } = await import('./open-identity-provider.ts');
    return closers.add(openIdentityProvider(identityProvider, config), (opened) => opened.close());
  });
  return {
    name: identityProvider.name,
    begin: async (...begun) => (await open()).begin(...begun),
    finish: async (...back) => (await open()).finish(...back),
  };
}

/** Creates a mailer that opens with the first mail; null without a mail server. */
export function openMailerLazily({ mail }: Pick<Config, 'mail'>): Pick<Mailer, 'send'> | null {
  if (mail === null) return null;
  const open = once(async () => (await import('./event-channels.ts')).openMailer(mail));
  return { send: async (...sent) => (await open()).send(...sent) };
}

/** Creates an HTTP client that opens with the first call: most commands make none. */
export function openHttpLazily(config: Config, closers: Closers): Pick<HttpClient, 'send'> {
  const open = once(async () => {
    const { createHttpClient } = await import('../adapters/http/http.ts');
    const client = createHttpClient({ allowedHosts: await allowedHosts(config) });
    return closers.add(client, (opened) => opened.close());
  });
  return { send: async (...call) => (await open()).send(...call) };
}

interface ValidatorWiring {
  readonly config: Config;
  readonly log: Logger;
  readonly closers: Closers;
  readonly servers: Servers;
  readonly optOuts: OptOuts;
}

/**
 * Creates an e-mail validator that opens with the first address: most commands validate none. With probing it opens immediately.
 *
 * @throws Misconfigured as `createEmailService` does.
 */
export async function openValidatorLazily(wiring: ValidatorWiring) {
  const open = once(async () => {
    const { createEmailService } = await import('./email-service.ts');
    const ended = new AbortController();
    const service = createEmailService({ ...emailServiceOptions(wiring), signal: ended.signal });
    return wiring.closers.add(service, async ({ settle }) => {
      ended.abort(new ShutdownError('process is stopping'));
      await settle();
    });
  });
  if (wiring.config.email.probe !== null) await open();
  const validate: EmailValidator['validate'] = async (...asked) => (await open()).validate(...asked);
  return { validate };
}

function emailServiceOptions({
  config,
  log,
  servers,
  optOuts,
}: ValidatorWiring): Omit<EmailServiceOptions, 'signal'> {
  const db = servers.database.sql;
  return {
    config,
    optOuts,
    domains: createMailDomainStore(db),
    mailboxes: createMailboxStore(db),
    openLimiter: ({ helloName, budgets }) =>
      createPostgresProbeLimiter(db, {
        egress: helloName,
        budgets,
        leaseMs: config.leaseMs,
        onError: (error) =>
          log.warn({ err: error }, 'lease of a mail server session not renewed or released'),
      }),
    limit: pLimit(domainLookupsMax),
    onError: (error) => log.warn({ err: error }, 'cache of mail domains unavailable; using DNS'),
    onUnready: (problems) =>
      log.warn({ problems }, 'mailbox probing unavailable; run `nightshift doctor` for the remedy'),
  };
}

/** Returns the hosts that the operator allows, and those of the configured sources. */
async function allowedHosts({ allowedHosts: named, access }: Config): Promise<readonly string[]> {
  return [...named, ...(await readNamedHosts(access))];
}

/** Maximum number of mail domains that one process looks up at a time. */
const domainLookupsMax = 50;
