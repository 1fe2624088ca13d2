import type { ProbedMailbox } from './mailbox.ts';
import type { CatchAll, ProbeFinding } from '../replies/smtp-reply.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Lifetime of a finding. Our choice, between Postfix's cache of verified addresses (`address_verify_*_refresh_time`: 7 days for accepted, 3
 * hours for rejected ones) and few probes: a rejected mailbox may be created tomorrow.
 */
const findingMs: Partial<Readonly<Record<ProbeFinding, number>>> = {
  mailbox_accepts: 7 * dayMs,
  mailbox_not_found: dayMs,
  mailbox_disabled: dayMs,
};

/** Lifetime of every other finding: it says little about the mailbox. */
const otherFindingMs = 6 * hourMs;

/** `not_run`: nothing is known. */
const catchAllMs: Readonly<Record<CatchAll, number>> = {
  accepted: 7 * dayMs,
  refused: dayMs,
  inconclusive: hourMs,
  not_run: 0,
};

/** Time at which evidence expires; for open evidence the time of the retry. */
export function mailboxExpiry({ finding, catchAll, checkedAt, retryAt }: ProbedMailbox): Date {
  if (retryAt !== null) return retryAt;
  const ownMs = findingMs[finding] ?? otherFindingMs;
  // An accepted mailbox is worth as much as its control.
  const lifetimeMs =
    finding === 'mailbox_accepts' ? Math.min(ownMs, Math.max(hourMs, catchAllMs[catchAll])) : ownMs;
  return new Date(checkedAt.getTime() + lifetimeMs);
}

/** postgrey remembers a deferred recipient for two days (`--retry-window`). */
const controlMs = 2 * dayMs;

/** Time at which the name of a deferred control expires. */
export function controlExpiry(checkedAt: Date): Date {
  return new Date(checkedAt.getTime() + controlMs);
}

/** Time at which the catch-all state of a domain expires. */
export function catchAllExpiry(state: CatchAll, checkedAt: Date): Date {
  return new Date(checkedAt.getTime() + catchAllMs[state]);
}
