import type { Denied, ProbeBatch, ProbeGate } from '../../../src/core/emails/probing/mailbox-probe.ts';
import type { MailboxEvidence, ProbedMailbox } from '../../../src/core/emails/probing/mailbox.ts';
import type { CatchAll } from '../../../src/core/emails/replies/smtp-reply.ts';
import { mailboxDigest } from '../../../src/core/emails/probing/mailbox-digest.ts';
import { createMailboxProbe } from '../../../src/adapters/mail/mailbox-probe.ts';
import type { MailboxProbeOptions } from '../../../src/adapters/mail/probe-options.ts';

/** A gate that lets everything through, and remembers what it was asked. */
export interface OpenGate extends ProbeGate {
  readonly sessions: () => number;
  /** Sessions that were given up. */
  readonly ended: () => number;
  /** Recipients that leave was taken for, by domain. */
  readonly taken: ReadonlyMap<string, number>;
  /** Number of calls. */
  readonly calls: () => number;
  readonly refusals: readonly string[];
}

export interface GateAnswers {
  readonly session?: () => Denied | null;
  readonly recipient?: (domain: string, localPart: string | null) => Denied | null;
}

/** When a gate lets ask again whoever it was told refuses us. */
export const pausedUntil = new Date('2030-01-01T00:00:00Z');

/** Makes a gate; what is not answered is granted. */
export function createGate(answers: GateAnswers = {}): OpenGate {
  const taken = new Map<string, number>();
  const refusals: string[] = [];
  let sessions = 0;
  let ended = 0;
  let calls = 0;
  return {
    taken,
    refusals,
    sessions: () => sessions,
    ended: () => ended,
    calls: () => calls,
    takeSession: async () => {
      calls += 1;
      sessions += 1;
      return answers.session?.() ?? { kind: 'granted', end: async () => void (ended += 1) };
    },
    takeRecipient: async ({ domain, address }) => {
      calls += 1;
      const none = answers.recipient?.(domain, address?.localPart ?? null) ?? null;
      if (none === null) taken.set(domain, (taken.get(domain) ?? 0) + 1);
      return none ?? { kind: 'granted' };
    },
    pause: async ({ group, domain, finding }) => {
      refusals.push(`${domain === null ? group : `${domain} of ${group}`}: ${finding}`);
      return pausedUntil;
    },
  };
}

/** Short times, our names, and no guard but the one of the test. */
export const hastyOptions: MailboxProbeOptions = {
  helloName: 'probe.example.org',
  mailFrom: 'us@example.org',
  isAllowedAddress: () => true,
  connectTimeoutMs: 300,
  commandTimeoutMs: 300,
  sessionDeadlineMs: 2_000,
};

/** A batch for one host at 127.0.0.1; `addresses` as `local@domain`. */
export function batchOf(
  addresses: readonly string[],
  changed: {
    readonly host?: string;
    readonly catchAll?: CatchAll;
    readonly control?: string;
    readonly ips?: readonly string[];
  } = {},
): ProbeBatch {
  const { host = 'mx.example.net', catchAll = 'not_run', control = null, ips = ['127.0.0.1'] } = changed;
  const byDomain = new Map<string, string[]>();
  for (const address of addresses) {
    const at = address.lastIndexOf('@');
    const domain = address.slice(at + 1);
    byDomain.set(domain, [...(byDomain.get(domain) ?? []), address.slice(0, at)]);
  }
  return {
    group: 'example',
    hosts: [{ name: host, preference: 10, addresses: ips }],
    domains: [...byDomain].map(([domain, locals]) => ({
      domain,
      catchAll,
      control,
      addresses: locals.map((localPart) => ({
        localPart,
        digest: mailboxDigest(localPart, domain),
        attempts: 0,
        isFirstContact: true,
      })),
    })),
  };
}

export interface Probed {
  /** By `local@domain`, in the order of their reports. */
  readonly evidence: ReadonlyMap<string, MailboxEvidence>;
  readonly postponed: Awaited<ReturnType<ReturnType<typeof createMailboxProbe>['probe']>>;
}

/** Probes a batch and gathers the evidence. Fails when an address is reported twice. */
export async function probe(
  batch: ProbeBatch,
  options: MailboxProbeOptions,
  {
    gate = createGate(),
    signal = new AbortController().signal,
  }: { gate?: ProbeGate; signal?: AbortSignal } = {},
): Promise<Probed> {
  const evidence = new Map<string, MailboxEvidence>();
  const report = (
    address: { readonly localPart: string },
    { domain }: { readonly domain: string },
    found: MailboxEvidence,
  ) => {
    const key = `${address.localPart}@${domain}`;
    if (evidence.has(key)) throw new Error(`${key} was reported twice`);
    evidence.set(key, found);
  };
  const postponed = await createMailboxProbe(options, gate).probe(batch, report, signal);
  return { evidence, postponed };
}

/** The finding, or why nobody was asked. */
export function findingOf(evidence: MailboxEvidence | undefined): string {
  if (evidence === undefined) return 'nothing';
  return evidence.kind === 'probed' ? evidence.finding : evidence.reason;
}

/** The evidence of an address that was probed. */
export function probedOf({ evidence }: Probed, address: string): ProbedMailbox {
  const found = evidence.get(address);
  if (found?.kind !== 'probed') throw new Error(`${address} was not probed`);
  return found;
}
