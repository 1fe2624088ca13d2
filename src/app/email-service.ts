import { join } from 'node:path';
import { createHttpClient } from '../adapters/http/http.ts';
import { createMailDomainLookup } from '../adapters/mail/dns.ts';
import { createMailboxProbe } from '../adapters/mail/mailbox-probe.ts';
import { createMailLists } from '../adapters/mail/mail-lists.ts';
import {
  createNameServers,
  examineNameServers,
  type EvaluatedNameServer,
} from '../adapters/mail/name-servers.ts';
import { readProbeInfo } from '../adapters/mail/probe-info.ts';
import type { MailboxProbeOptions } from '../adapters/mail/probe-options.ts';
import { refreshDisposable, type RefreshedList } from '../adapters/mail/refresh-list.ts';
import type { Config, EmailConfig, ProbeConfig } from '../config/config.ts';
import { createMailboxAsker } from '../core/emails/probing/ask-mailboxes.ts';
import { createKnownDomains } from '../core/emails/domains/known-domains.ts';
import type { MailDomainLookup } from '../core/emails/domains/mail-domain.ts';
import type { MailDomainStore } from '../core/emails/domains/mail-domain-store.ts';
import type { MailboxStore } from '../core/emails/probing/mailbox-store.ts';
import type { ProbeGate } from '../core/emails/probing/mailbox-probe.ts';
import type { MailLists } from '../core/emails/domains/mail-lists.ts';
import type { OptOuts } from '../core/emails/probing/opt-outs.ts';
import { identityMistakes } from '../core/emails/probing/probe-identity.ts';
import { evaluateReadiness, type ProbeCheck } from '../core/emails/probing/probe-readiness.ts';
import { createProbeWatch } from '../core/emails/probing/probe-watch.ts';
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
  /** Creates the gate that all processes share. */
  readonly openGate: (probe: ProbeConfig) => ProbeGate;
  /** Limits concurrent lookups of domains. */
  readonly limit: <T>(work: () => Promise<T>) => Promise<T>;
  /** Called when the store is unreachable; DNS is used instead. */
  readonly onError: (error: unknown) => void;
  /** Called with the problems whenever probing is found to be unavailable. */
  readonly onUnready: (problems: readonly ProbeCheck[]) => void;
  /** Aborts when the process ends: sessions with mail servers are closed. */
  readonly signal: AbortSignal;
}

/** E-mail validation of this process. */
export interface EmailService extends Pick<EmailValidator, 'validate'> {
  /** Resolves when it no longer uses the database. Call it after the signal has aborted. */
  settle(): Promise<void>;
}

/**
 * Creates the e-mail validation from the configuration.
 *
 * @throws Misconfigured when probing uses a name that is not the operator's own.
 */
export function createEmailService(options: EmailServiceOptions): EmailService {
  const { config, optOuts, domains: store, limit, onError } = options;
  const lists = openLists(config);
  const lookup = openLookup(config.email);
  const known = createKnownDomains({ lookup, store, nowMs: Date.now, limit, onError });
  const { probe } = config.email;
  const mailboxes = probe === null ? null : openAsker(probe, lists, lookup, options);
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

function openAsker(
  probe: ProbeConfig,
  lists: MailLists,
  lookup: MailDomainLookup,
  options: EmailServiceOptions,
) {
  const { config, mailboxes, openGate, onUnready, signal } = options;
  const mistakes = identityMistakes(probe, lists);
  if (mistakes.length > 0) throw new Misconfigured(`Probing is misconfigured:\n  ${mistakes.join('\n  ')}`);
  const watch = createProbeWatch({
    check: () => checkProbing(config.email, probe, lookup, signal),
    nowMs: Date.now,
    onUnready,
  });
  return createMailboxAsker({
    openProbe: (gate) => createMailboxProbe(probeOptions(config.email, probe), gate),
    gate: openGate(probe),
    store: mailboxes,
    lists,
    unavailableReason: watch.unavailableReason,
    nowMs: Date.now,
    signal,
  });
}

/**
 * Checks this machine as mail servers see it, for the doctor and before probing.
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
  const { servers } = await createNameServers({ ...options, nowMs: Date.now }).believed(0, signal);
  const info = await readProbeInfo(
    { ...options, ...(servers.length === 0 ? {} : { servers }), probe: probeOptions(email, probe), lookup },
    signal,
  );
  return evaluateReadiness(probe, info);
}

function probeOptions(
  { allowedHosts, hostPorts }: EmailConfig,
  { helloName, mailFrom, retryAfterMs }: ProbeConfig,
): MailboxProbeOptions {
  const isAllowedAddress = (ip: string, host: string) => isPublicAddress(ip) || allowedHosts.includes(host);
  return { helloName, mailFrom, retryAfterMs, isAllowedAddress, hostPorts };
}

/** Opens the lookup of mail domains in DNS with the configured name servers. */
export function openLookup(email: EmailConfig): MailDomainLookup {
  const options = { ...dnsOptions(email), nowMs: Date.now };
  return createMailDomainLookup({ ...options, nameServers: createNameServers(options) });
}

/**
 * Checks the name servers of the configuration, or of the machine, with names that exist and names that do not.
 *
 * @throws the reason of the signal when it aborts
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

/** Opens a validator for the syntax only, without network and database. */
export function openTextValidator(config: Config): Pick<EmailValidator, 'evaluateText'> {
  const unavailable = () => Promise.reject(new Error('network lookup not available for a syntax check'));
  return createEmailValidator({
    optOuts: { has: unavailable },
    lists: openLists(config),
    domains: { find: unavailable },
    mailboxes: null,
    now: () => new Date(),
  });
}

/** Opens the bundled lists, with the operator's corrections in the home folder. */
export function openLists(config: Config): MailLists {
  return createMailLists(listFolders(config));
}

/** Returns the folders of the lists: the bundled ones, and the operator's own. */
export function listFolders({ home }: Config) {
  return { shipped: mailListsFolder, own: join(home, 'lists') };
}

/**
 * Updates the list of disposable domains with `refreshDisposable`, from a public host or one that the operator allows.
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
