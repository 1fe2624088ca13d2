import { createHash } from 'node:crypto';
import type { MailDomain, MailHost } from '../domains/mail-domain.ts';
import type { PolicyReason } from '../reasons.ts';
import type { CatchAll, ProbeFinding, SmtpReply } from '../replies/smtp-reply.ts';
import type { EmailAddress } from '../syntax/address.ts';

/** A mailbox at its mail hosts: the value that cache, provider queue and session pass on. */
export interface Mailbox {
  readonly localPart: string;
  /** In ASCII, in lower case. */
  readonly domain: string;
  /** At least one, in the order of their preference. */
  readonly hosts: readonly MailHost[];
  /** See `mailboxDigest`. */
  readonly digest: string;
  /** Number of earlier attempts that left it open. 0: the server may see it for the first time, and greylist it. */
  readonly attempts: number;
}

/** Evidence from a mail server about one mailbox. */
export interface ProbedMailbox {
  readonly kind: 'probed';
  readonly finding: ProbeFinding;
  readonly catchAll: CatchAll;
  /** The host of the last attempt. */
  readonly host: string;
  /** The reply that decided; null without one. */
  readonly reply: SmtpReply | null;
  /** Number of attempts, over all sessions. */
  readonly attempts: number;
  readonly durationMs: number;
  readonly checkedAt: Date;
  /** Time of the next attempt, after greylisting or a temporary error; null when none is planned. */
  readonly retryAt: Date | null;
}

/** No mail server was contacted. */
export interface UnprobedMailbox {
  readonly kind: 'not_probed';
  readonly reason: PolicyReason;
  /** Time of the next attempt; null when none is planned. */
  readonly retryAt: Date | null;
}

export type MailboxEvidence = ProbedMailbox | UnprobedMailbox;

/** Port: finds out whether a mailbox exists, from its mail server, within all limits. */
export interface MailboxLookup {
  /**
   * Finds the evidence for an address of a domain that has mail hosts.
   *
   * @throws the signal's reason when it aborts
   */
  find(address: EmailAddress, domain: MailDomain, signal: AbortSignal): Promise<MailboxEvidence>;
}

/** @throws Error when the domain has no mail hosts. */
export function mailboxOf({ localPart, asciiDomain }: EmailAddress, { domain, route }: MailDomain): Mailbox {
  if (route.kind !== 'hosts') throw new Error(`${domain} has no mail hosts.`);
  const digest = mailboxDigest(localPart, asciiDomain);
  return { localPart, domain, hosts: route.hosts, digest, attempts: 0 };
}

/** Key of a set of mail hosts: mailboxes with the same key share sessions. */
export function hostsKey(hosts: readonly MailHost[]): string {
  return hosts.map(({ name }) => name).join(' ');
}

/**
 * Digest in hexadecimal that stands for an address that is not stored. In lower case: no known server treats `Bob` and `bob` as two
 * mailboxes (RFC 5321 §2.4 allows it and advises against it).
 */
export function mailboxDigest(localPart: string, asciiDomain: string): string {
  return createHash('sha256').update(`${localPart.toLowerCase()}@${asciiDomain}`).digest('hex');
}

/** Evidence for a mailbox that no server was contacted about. */
export function unprobed(reason: UnprobedMailbox['reason'], retryAt: Date | null = null): UnprobedMailbox {
  return { kind: 'not_probed', reason, retryAt };
}
