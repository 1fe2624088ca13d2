import { join } from 'node:path';
import { createHttpClient } from '../adapters/http/http.ts';
import { createMailDomainLookup } from '../adapters/mail/dns/mail-domain-lookup.ts';
import { createMailLists } from '../adapters/mail/lists/mail-lists.ts';
import {
  createNameServers,
  probeNameServers,
  type EvaluatedNameServer,
} from '../adapters/mail/dns/name-servers.ts';
import { readProbeInfo } from '../adapters/mail/probe-info.ts';
import { createProbeSessions } from '../adapters/mail/smtp/probe-session.ts';
import { refreshDisposable, type RefreshedList } from '../adapters/mail/lists/refresh-list.ts';
import type { ProbeSessionOptions } from '../adapters/mail/smtp/session-options.ts';
import type { Config, EmailConfig, ProbeConfig } from '../config/config.ts';
import { createMailDomainCache } from '../core/emails/domains/mail-domain-cache.ts';
import type { MailDomainLookup, MailDomainStore } from '../core/emails/domains/mail-domain.ts';
import { createMailboxCache, type MailboxCache } from '../core/emails/probing/mailbox-cache.ts';
import type { MailboxStore } from '../core/emails/probing/mailbox-store.ts';
import type { ProbeLimiter } from '../core/emails/probing/probe-limiter.ts';
import type { MailLists } from '../core/emails/lists/mail-lists.ts';
import type { OptOuts } from '../core/emails/probing/opt-outs.ts';
import { identityMistakes } from '../core/emails/probing/probe-identity.ts';
import { evaluateReadiness, type ProbeCheck } from '../core/emails/probing/probe-readiness.ts';
import { createProviderQueue } from '../core/emails/probing/provider-queue.ts';
import { createReadinessMonitor } from '../core/emails/probing/readiness-monitor.ts';
import { createEmailValidator, type EmailValidator } from '../core/validation/validate-email.ts';
import { Misconfigured } from '../core/errors.ts';
import { isPublicAddress } from '../core/public-address.ts';
import { mailListsFolder } from '../package-root.ts';

/** Options of the e-mail validation. */
export interface EmailServiceOptions {
  readonly config: Config;
  readonly optOuts: OptOuts;
  /** Cache of DNS answers, shared by all processes. */
  readonly domains: MailDomainStore;
  /** Cache of answers of mail servers, shared by all processes. */
  readonly mailboxes: MailboxStore;
  /** Makes the limiter that all processes share. */
  readonly openLimiter: (probe: ProbeConfig) => ProbeLimiter;
  /** Limits the domains that are looked up at a time. */
  readonly limit: <T>(work: () => Promise<T>) => Promise<T>;
  /** Receives errors of the store; DNS is queried instead. */
  readonly onError: (error: unknown) => void;
  /** Receives the problems of each readiness check that finds some. */
  readonly onUnready: (problems: readonly ProbeCheck[]) => void;
  /** Aborts when the process ends: sessions with mail servers are closed. */
  readonly signal: AbortSignal;
}

/** The email validation, which must be settled before the database closes. */
export interface EmailService extends Pick<EmailValidator, 'validate'> {
  /** Resolves when nothing uses the database any more. Abort the signal first. */
  settle(): Promise<void>;
}

/**
 * Makes the email validation from the configuration.
 *
 * @throws Misconfigured when the names for probing are not the operator's own.
 */
export function createEmailService(options: EmailServiceOptions): EmailService {
  const { config, optOuts, domains: store, limit, onError } = options;
  const lists = openLists(config);
  const lookup = openLookup(config.email);
  const known = createMailDomainCache({ lookup, store, nowMs: Date.now, limit, onError });
  const { probe } = config.email;
  const mailboxes = probe === null ? null : openMailboxes(probe, lists, lookup, options);
  const validator = createEmailValidator({
    optOuts,
    lists,
    domains: known,
    mailboxes,
    now: () => new Date(),
  });
  return {
    validate: validator.validate,
    settle: async () => {
      await known.close();
      await mailboxes?.settled();
    },
  };
}

function openMailboxes(
  probe: ProbeConfig,
  lists: MailLists,
  lookup: MailDomainLookup,
  options: EmailServiceOptions,
): MailboxCache {
  const { config, mailboxes: store, openLimiter, onUnready, signal } = options;
  const mistakes = identityMistakes(probe, lists);
  if (mistakes.length > 0) throw new Misconfigured(`Probing is misconfigured:\n  ${mistakes.join('\n  ')}`);
  const nowMs = Date.now;
  const monitor = createReadinessMonitor({
    check: () => checkProbing(config.email, probe, lookup, signal),
    nowMs,
    onUnready,
  });
  const queue = createProviderQueue({
    openSessions: createProbeSessions(probeOptions(config.email, probe)),
    limiter: openLimiter(probe),
    store,
    lists,
    retryAfterMs: probe.retryAfterMs,
    nowMs,
    signal,
  });
  const { unavailableReason } = monitor;
  return createMailboxCache({ queue, store, lists, unavailableReason, nowMs, signal });
}

/**
 * Checks whether this machine can probe mailboxes; for the doctor, and before the first probe.
 *
 * @throws the reason of the signal when it aborts
 */
export async function checkProbing(
  email: EmailConfig,
  probe: ProbeConfig,
  lookup: MailDomainLookup,
  signal: AbortSignal,
): Promise<readonly ProbeCheck[]> {
  const options = dnsOptions(email);
  const { servers } = await createNameServers({ ...options, nowMs: Date.now }).trusted(0, signal);
  const info = await readProbeInfo(
    { ...options, ...(servers.length === 0 ? {} : { servers }), probe: probeOptions(email, probe), lookup },
    signal,
  );
  return evaluateReadiness(probe, info);
}

function probeOptions(
  { allowedHosts, hostPorts }: EmailConfig,
  { helloName, mailFrom }: ProbeConfig,
): ProbeSessionOptions {
  const isAllowedAddress = (ip: string, host: string) => isPublicAddress(ip) || allowedHosts.includes(host);
  return { helloName, mailFrom, isAllowedAddress, hostPorts };
}

/** Looks mail domains up in DNS, with the name servers of the configuration. */
export function openLookup(email: EmailConfig): MailDomainLookup {
  const options = { ...dnsOptions(email), nowMs: Date.now };
  return createMailDomainLookup({ ...options, nameServers: createNameServers(options) });
}

/**
 * Evaluates the name servers of the configuration, or of the machine, by control queries.
 *
 * @throws the reason of the signal when it aborts
 */
export function checkNameServers(
  email: EmailConfig,
  signal: AbortSignal,
): Promise<readonly EvaluatedNameServer[]> {
  return probeNameServers(dnsOptions(email), signal);
}

function dnsOptions({ dnsServers, dnsTimeoutMs, allowedHosts }: EmailConfig) {
  return {
    ...(dnsServers === null ? {} : { servers: dnsServers }),
    timeoutMs: dnsTimeoutMs,
    isAllowedHost: (name: string) => allowedHosts.includes(name),
  };
}

/** Makes a validator for the text alone, without network and database. */
export function openTextValidator(config: Config): Pick<EmailValidator, 'evaluateText'> {
  const unavailable = () => Promise.reject(new Error('A text is validated without network.'));
  return createEmailValidator({
    optOuts: { has: unavailable },
    lists: openLists(config),
    domains: { find: unavailable },
    mailboxes: null,
    now: () => new Date(),
  });
}

/** The shipped lists, with the operator's corrections from the home folder. */
export function openLists(config: Config): MailLists {
  return createMailLists(listFolders(config));
}

/** Folders of the shipped lists and of the operator's own. */
export function listFolders({ home }: Config) {
  return { shipped: mailListsFolder, own: join(home, 'lists') };
}

/**
 * Refreshes the list of disposable domains (`refreshDisposable`), from a public host or one that the operator allows.
 *
 * @throws EnrichError of `refreshDisposable`
 */
export async function refreshLists(
  config: Config,
  { from, signal }: { readonly from: string; readonly signal: AbortSignal },
): Promise<RefreshedList> {
  const client = createHttpClient({ allowedHosts: config.allowedHosts });
  try {
    return await refreshDisposable({ from, folders: listFolders(config), client, signal, now: new Date() });
  } finally {
    await client.close();
  }
}
