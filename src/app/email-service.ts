import { join } from 'node:path';
import { createHttpClient } from '../adapters/http/http.ts';
import { createMailDomainLookup } from '../adapters/mail/dns.ts';
import { createMailLists } from '../adapters/mail/mail-lists.ts';
import {
  createNameServers,
  examineNameServers,
  type EvaluatedNameServer,
} from '../adapters/mail/name-servers.ts';
import { readProbeInfo } from '../adapters/mail/probe-info.ts';
import { createProbeSessions } from '../adapters/mail/probe-session.ts';
import { refreshDisposable, type RefreshedList } from '../adapters/mail/refresh-list.ts';
import type { ProbeSessionOptions } from '../adapters/mail/session-options.ts';
import type { Config, EmailConfig, ProbeConfig } from '../config/config.ts';
import { createKnownDomains } from '../core/emails/domains/known-domains.ts';
import type { MailDomainLookup } from '../core/emails/domains/mail-domain.ts';
import type { MailDomainStore } from '../core/emails/domains/mail-domain-store.ts';
import { createMailboxCache, type MailboxCache } from '../core/emails/probing/mailbox-cache.ts';
import type { MailboxStore } from '../core/emails/probing/mailbox-store.ts';
import type { ProbeLimiter } from '../core/emails/probing/probe-limiter.ts';
import type { MailLists } from '../core/emails/domains/mail-lists.ts';
import type { OptOuts } from '../core/emails/probing/opt-outs.ts';
import { identityMistakes } from '../core/emails/probing/probe-identity.ts';
import { evaluateReadiness, type ProbeCheck } from '../core/emails/probing/probe-readiness.ts';
import { createProviderQueue } from '../core/emails/probing/provider-queue.ts';
import { createReadinessMonitor } from '../core/emails/probing/readiness-monitor.ts';
import { createEmailValidator, type EmailValidator } from '../core/validation/validate-email.ts';
import { Misconfigured } from '../core/errors.ts';
import { isPublicAddress } from '../core/public-address.ts';
import { mailListsFolder } from '../package-root.ts';

export interface EmailServiceOptions {
  readonly config: Config;
  readonly optOuts: OptOuts;
  /** Cache of DNS answers, for all processes. */
  readonly domains: MailDomainStore;
  /** Cache of mail servers' answers, for all processes. */
  readonly mailboxes: MailboxStore;
  /** Makes the limiter that all processes share. */
  readonly openLimiter: (probe: ProbeConfig) => ProbeLimiter;
  /** Lets so many domains be looked up at a time. */
  readonly limit: <T>(work: () => Promise<T>) => Promise<T>;
  /** Told when the store is away; DNS is asked instead. */
  readonly onError: (error: unknown) => void;
  /** Told why mail servers are not asked, each time it turns out so. */
  readonly onUnready: (problems: readonly ProbeCheck[]) => void;
  /** Aborts when the process ends: sessions with mail servers are cut. */
  readonly signal: AbortSignal;
}

/** The email validation, and its end. */
export interface EmailService extends Pick<EmailValidator, 'validate'> {
  /** Resolves when nothing of it uses the database any more; to be called once its signal has aborted. */
  settle(): Promise<void>;
}

/**
 * The parts of the email validation, from the configuration.
 *
 * @throws Misconfigured when mail servers are to be asked under a name that is not the operator's own.
 */
export function createEmailService(options: EmailServiceOptions): EmailService {
  const { config, optOuts, domains: store, limit, onError } = options;
  const lists = openLists(config);
  const lookup = openLookup(config.email);
  const known = createKnownDomains({ lookup, store, nowMs: Date.now, limit, onError });
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
  if (mistakes.length > 0) throw new Misconfigured(`Mail servers are not asked:\n  ${mistakes.join('\n  ')}`);
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
 * Looks at how mail servers see us, and judges it; for the doctor, and before anybody is asked.
 *
 * @throws the signal's reason when it aborts
 */
export async function checkProbing(
  email: EmailConfig,
  probe: ProbeConfig,
  lookup: MailDomainLookup,
  signal: AbortSignal,
): Promise<readonly ProbeCheck[]> {
  const options = dnsOptions(email);
  const { servers } = await createNameServers({ ...options, nowMs: Date.now }).believed(0, signal);
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

/** Mail domains in DNS, as the configuration has it. */
export function openLookup(email: EmailConfig): MailDomainLookup {
  const options = { ...dnsOptions(email), nowMs: Date.now };
  return createMailDomainLookup({ ...options, nameServers: createNameServers(options) });
}

/**
 * Judges the name servers of the configuration, or of the machine, by names that exist and names that do not.
 *
 * @throws the signal's reason when it aborts
 */
export function checkNameServers(
  email: EmailConfig,
  signal: AbortSignal,
): Promise<readonly EvaluatedNameServer[]> {
  return examineNameServers(dnsOptions(email), signal);
}

function dnsOptions({ dnsServers, dnsTimeoutMs, allowedHosts }: EmailConfig) {
  return {
    ...(dnsServers === null ? {} : { servers: dnsServers }),
    timeoutMs: dnsTimeoutMs,
    isAllowedHost: (name: string) => allowedHosts.includes(name),
  };
}

/** For verdicts on the text alone: nobody is asked, and no database is needed. */
export function openTextValidator(config: Config): Pick<EmailValidator, 'evaluateText'> {
  const nobody = () => Promise.reject(new Error('Nobody is asked about a text.'));
  return createEmailValidator({
    optOuts: { has: nobody },
    lists: openLists(config),
    domains: { find: nobody },
    mailboxes: null,
    now: () => new Date(),
  });
}

/** The lists that ship, with the corrections that the operator has put into the home folder. */
export function openLists(config: Config): MailLists {
  return createMailLists(listFolders(config));
}

/** Folders of the lists: those that ship, and the operator's own. */
export function listFolders({ home }: Config) {
  return { shipped: mailListsFolder, own: join(home, 'lists') };
}

/**
 * Fetches the list of throw-away domains anew, as `refreshDisposable` does, from a public host or one that the operator allows.
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
