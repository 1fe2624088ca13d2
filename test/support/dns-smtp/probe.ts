import { createProbeSessions } from '../../../src/adapters/mail/smtp/probe-session.ts';
import type { ProbeSessionOptions } from '../../../src/adapters/mail/smtp/session-options.ts';
import type { MailHost } from '../../../src/core/emails/domains/mail-domain.ts';
import type { KnownControl } from '../../../src/core/emails/probing/mailbox-store.ts';
import {
  hostsKey,
  mailboxDigest,
  type Mailbox,
  type MailboxEvidence,
  type ProbedMailbox,
} from '../../../src/core/emails/probing/mailbox.ts';
import type { Denied, ProbeLimiter } from '../../../src/core/emails/probing/probe-limiter.ts';
import { createProviderQueue } from '../../../src/core/emails/probing/provider-queue.ts';
import type { CatchAll } from '../../../src/core/emails/replies/smtp-reply.ts';
import { createMemoryMailboxes } from './memory-mailboxes.ts';

/** A limiter that permits everything and records its calls. */
export interface OpenLimiter extends ProbeLimiter {
  readonly sessions: () => number;
  /** Number of released sessions. */
  readonly released: () => number;
  /** Number of permitted recipients by domain. */
  readonly recipients: ReadonlyMap<string, number>;
  readonly calls: () => number;
  readonly rejections: readonly string[];
}

export interface LimiterAnswers {
  readonly session?: () => Denied | null;
  readonly recipient?: (domain: string) => Denied | null;
}

/** End of every pause. */
export const pausedUntil = new Date('2030-01-01T00:00:00Z');

/** Creates a limiter; calls without a configured answer are granted. */
export function createLimiter(answers: LimiterAnswers = {}): OpenLimiter {
  const recipients = new Map<string, number>();
  const rejections: string[] = [];
  let sessions = 0;
  let released = 0;
  let calls = 0;
  return {
    recipients,
    rejections,
    sessions: () => sessions,
    released: () => released,
    calls: () => calls,
    acquireSession: async () => {
      calls += 1;
      sessions += 1;
      return answers.session?.() ?? { kind: 'granted', release: async () => void (released += 1) };
    },
    acquireRecipient: async ({ domain }) => {
      calls += 1;
      const denied = answers.recipient?.(domain) ?? null;
      if (denied === null) recipients.set(domain, (recipients.get(domain) ?? 0) + 1);
      return denied ?? { kind: 'granted' };
    },
    pause: async ({ provider, domain, finding }) => {
      rejections.push(`${domain === null ? provider : `${domain} of ${provider}`}: ${finding}`);
      return pausedUntil;
    },
  };
}

/** Timeouts so short that only tests of a server that never replies use them; names of this client, and no policy but that of the test. */
export const hastyOptions: ProbeSessionOptions = {
  helloName: 'probe.example.org',
  mailFrom: 'us@example.org',
  isAllowedAddress: () => true,
  connectTimeoutMs: 300,
  commandTimeoutMs: 300,
  sessionDeadlineMs: 20_000,
};

/** Timeouts that a server which replies never reaches, however busy the machine is. */
export const longWaits: ProbeSessionOptions = {
  ...hastyOptions,
  connectTimeoutMs: 10_000,
  commandTimeoutMs: 5_000,
  sessionDeadlineMs: 60_000,
};

/** Options of a session that ends with this finding: short timeouts if it is a timeout. */
export function optionsFor(finding: string): ProbeSessionOptions & { readonly sessionDeadlineMs: number } {
  const options = finding === 'connection_timeout' ? hastyOptions : longWaits;
  return { ...options, sessionDeadlineMs: options.sessionDeadlineMs ?? 0 };
}

/** Mailboxes at the same hosts, and the known control of each of their domains. */
export interface MailboxBatch {
  readonly mailboxes: readonly Mailbox[];
  readonly control: KnownControl;
}

/** Creates a batch for one host at 127.0.0.1; `addresses` as `local@domain`. */
export function batchOf(
  addresses: readonly string[],
  changed: {
    readonly host?: string;
    readonly ips?: readonly string[];
    readonly hosts?: readonly MailHost[];
    readonly catchAll?: CatchAll;
    /** Local part of a deferred control. */
    readonly control?: string;
    readonly attempts?: number;
  } = {},
): MailboxBatch {
  const { host = 'mx.example.net', ips = ['127.0.0.1'], attempts = 0 } = changed;
  const { hosts = [{ name: host, preference: 10, addresses: ips }] } = changed;
  const mailboxes = addresses.map((address) => {
    const at = address.lastIndexOf('@');
    const [localPart, domain] = [address.slice(0, at), address.slice(at + 1)];
    return { localPart, domain, hosts, digest: mailboxDigest(localPart, domain), attempts };
  });
  return {
    mailboxes,
    control: { catchAll: changed.catchAll ?? 'not_run', localPart: changed.control ?? null },
  };
}

export interface Probed {
  /** Evidence by `local@domain`, in the order of the batch. */
  readonly evidence: ReadonlyMap<string, MailboxEvidence>;
  /** Stored controls, by domain. */
  readonly controls: ReadonlyMap<string, KnownControl>;
}

/** Probes a batch through a separate queue. Resolves when its sessions are closed. */
export async function probe(
  { mailboxes, control }: MailboxBatch,
  options: ProbeSessionOptions,
  {
    limiter = createLimiter(),
    signal = new AbortController().signal,
  }: { limiter?: ProbeLimiter; signal?: AbortSignal } = {},
): Promise<Probed> {
  const store = createMemoryMailboxes();
  const domains = [...new Set(mailboxes.map(({ domain }) => domain))];
  const hosts = hostsKey(mailboxes[0]?.hosts ?? []);
  for (const domain of domains) {
    if (control.catchAll !== 'not_run')
      await store.writeCatchAll({ domain, hosts }, control.catchAll, pausedUntil);
    const { localPart } = control;
    if (localPart !== null)
      await store.writeControl({ domain, hosts }, { localPart, expiresAt: pausedUntil });
  }
  const queue = createProviderQueue({
    openSessions: createProbeSessions(options),
    limiter,
    store,
    lists: { mxProvider: () => ({ id: 'example', kind: 'mailboxes' }) },
    retryAfterMs: [6, 20, 60].map((minutes) => minutes * 60_000),
    nowMs: options.now ?? Date.now,
    signal,
  });
  try {
    const evidence = await Promise.all(mailboxes.map((mailbox) => queue.probe(mailbox, () => true)));
    const entries = mailboxes.map(
      ({ localPart, domain }, i) => [`${localPart}@${domain}`, evidence[i]] as const,
    );
    return {
      evidence: new Map(entries.flatMap(([key, found]) => (found === undefined ? [] : [[key, found]]))),
      controls: await store.readControls(domains, hosts),
    };
  } finally {
    await queue.settled();
  }
}

/** Result of the probe, or the reason why the mailbox was not probed. */
export function findingOf(evidence: MailboxEvidence | undefined): string {
  if (evidence === undefined) return 'nothing';
  return evidence.kind === 'probed' ? evidence.finding : evidence.reason;
}

/** Evidence of a probed mailbox. */
export function probedOf({ evidence }: Pick<Probed, 'evidence'>, address: string): ProbedMailbox {
  const found = evidence.get(address);
  if (found?.kind !== 'probed') throw new Error(`${address} was not probed`);
  return found;
}
