import type { EmailAddress, ParsedAddress } from '../syntax/address.ts';
import { canonicalAddress } from '../syntax/canonical.ts';
import type { MailDomain } from '../domains/mail-domain.ts';
import { mailboxExpiry } from '../probing/mailbox-lifetime.ts';
import type { MailboxEvidence, ProbedMailbox } from '../probing/mailbox.ts';
import type { MxProvider } from '../lists/mail-lists.ts';
import type { AddressQuality } from './quality.ts';
import type { EmailReason } from '../reasons.ts';

export const emailStatuses = ['valid', 'invalid', 'catch_all', 'unknown'] as const;
export type EmailStatus = (typeof emailStatuses)[number];

export const recommendations = ['send', 'review', 'do_not_send'] as const;
export type Recommendation = (typeof recommendations)[number];

/** Depth of the verification: the address alone, DNS, or the answer of the mail server. */
export const verificationLevels = ['syntax', 'domain', 'mailbox'] as const;
export type VerificationLevel = (typeof verificationLevels)[number];

/** All that is known of an address; null: not checked. */
export interface EmailEvidence {
  /** The address as it was given. */
  readonly email: string;
  readonly parsed: ParsedAddress;
  readonly quality: Pick<AddressQuality, 'reasons' | 'didYouMean'> | null;
  readonly domain: MailDomain | null;
  /** Operator of the first mail host, if a list knows its name. */
  readonly provider: MxProvider | null;
  readonly mailbox: MailboxEvidence | null;
  /** True when every part of the verdict came from the cache. */
  readonly fromCache: boolean;
  readonly checkedAt: Date;
}

/** The verdict on an address, with its evidence. */
export interface EmailVerdict {
  readonly email: string;
  readonly status: EmailStatus;
  /** Decisive reason; also the first of the reasons. */
  readonly subStatus: EmailReason;
  readonly recommendation: Recommendation;
  readonly level: VerificationLevel;
  readonly reasons: readonly EmailReason[];
  /** Null when the text is not an address. */
  readonly address: EmailAddress | null;
  /** Marks likely duplicates; never mailed. */
  readonly canonical: string | null;
  readonly didYouMean: string | null;
  /** Null: not known. */
  readonly isCatchAll: boolean | null;
  readonly domain: MailDomain | null;
  readonly provider: MxProvider | null;
  readonly mailbox: ProbedMailbox | null;
  readonly fromCache: boolean;
  readonly checkedAt: Date;
  /** The verdict is cached until then; null when nothing was looked up. */
  readonly expiresAt: Date | null;
  /** A check after that may have another result; null when none is expected. */
  readonly retryAt: Date | null;
}

/**
 * Evaluates the evidence.
 *
 * `invalid` needs a text that is not an address, a domain that cannot receive mail, or a mail server that says of this recipient that it
 * does not exist. Evidence about the sender, the network or a policy is `unknown`: a good address is never invalid because a server rejects
 * the sender of the check.
 */
export function evaluateEmail(evidence: EmailEvidence): EmailVerdict {
  const { email, parsed, quality, domain, provider, mailbox, fromCache, checkedAt } = evidence;
  const decided = decide(evidence);
  const reasons = [decided.by, ...besides(evidence, decided.by)];
  return {
    email,
    status: decided.status,
    subStatus: decided.by,
    recommendation: recommend(decided.status, reasons),
    level: decided.level,
    reasons,
    address: parsed.kind === 'address' ? parsed.address : null,
    canonical: parsed.kind === 'address' ? canonicalAddress(parsed.address) : null,
    didYouMean: quality?.didYouMean ?? null,
    isCatchAll: isCatchAll(mailbox),
    domain,
    provider,
    mailbox: mailbox?.kind === 'probed' ? mailbox : null,
    fromCache,
    checkedAt,
    expiresAt: mailbox?.kind === 'probed' ? mailboxExpiry(mailbox) : (domain?.expiresAt ?? null),
    retryAt: retryAtOf(evidence),
  };
}

/**
 * Time of a retry that is worth waiting for; null for none. A pause of hours is not: the server may reject the sender again.
 */
export function awaitedAt({ status, subStatus, retryAt }: EmailVerdict): Date | null {
  const isPaused = subStatus === 'domain_paused' || subStatus === 'provider_paused';
  return status === 'unknown' && !isPaused ? retryAt : null;
}

interface Decided {
  readonly status: EmailStatus;
  readonly by: EmailReason;
  readonly level: VerificationLevel;
}

function decide({ parsed, domain, mailbox }: EmailEvidence): Decided {
  if (parsed.kind === 'invalid') return { status: 'invalid', by: parsed.reason, level: 'syntax' };
  if (domain === null) {
    const by = mailbox?.kind === 'not_probed' ? mailbox.reason : 'mailbox_not_probed';
    return { status: 'unknown', by, level: 'syntax' };
  }
  const { route } = domain;
  if (route.kind === 'none') return { status: 'invalid', by: route.reason, level: 'domain' };
  if (route.kind === 'unknown') return { status: 'unknown', by: route.reason, level: 'domain' };
  if (mailbox === null) return { status: 'unknown', by: 'mailbox_not_probed', level: 'domain' };
  if (mailbox.kind === 'not_probed') return { status: 'unknown', by: mailbox.reason, level: 'domain' };
  return { ...decideByServer(mailbox), level: 'mailbox' };
}

/** An accepted mailbox proves something only if the server rejects the control. */
function decideByServer({ finding, catchAll }: ProbedMailbox): Omit<Decided, 'level'> {
  if (finding === 'mailbox_not_found' || finding === 'mailbox_disabled')
    return { status: 'invalid', by: finding };
  if (finding !== 'mailbox_accepts') return { status: 'unknown', by: finding };
  if (catchAll === 'accepted') return { status: 'catch_all', by: 'catch_all_domain' };
  return catchAll === 'refused'
    ? { status: 'valid', by: finding }
    : { status: 'unknown', by: 'catch_all_inconclusive' };
}

/** Further reasons, in order of weight. */
function besides({ quality, domain, mailbox }: EmailEvidence, decisive: EmailReason): readonly EmailReason[] {
  const reasons: EmailReason[] = [];
  if (mailbox?.kind === 'probed') reasons.push(mailbox.finding);
  if (domain?.route.kind === 'hosts' && domain.route.implicit) reasons.push('implicit_mx');
  reasons.push(...(quality?.reasons ?? []));
  return reasons.filter((reason) => reason !== decisive);
}

function recommend(status: EmailStatus, reasons: readonly EmailReason[]): Recommendation {
  const has = (...wanted: readonly EmailReason[]) => wanted.some((reason) => reasons.includes(reason));
  if (status === 'invalid' || has('disposable_domain', 'opted_out')) return 'do_not_send';
  return status === 'valid' && !has('role_account', 'possible_typo') ? 'send' : 'review';
}

function isCatchAll(mailbox: MailboxEvidence | null): boolean | null {
  if (mailbox?.kind !== 'probed') return null;
  if (mailbox.catchAll === 'accepted') return true;
  return mailbox.catchAll === 'refused' ? false : null;
}

function retryAtOf({ domain, mailbox }: EmailEvidence): Date | null {
  if (domain?.route.kind === 'unknown') return domain.expiresAt;
  return mailbox?.retryAt ?? null;
}
