import type { ProbedMailbox } from './mailbox.ts';
import type { CatchAll, ProbeFinding } from '../replies/smtp-reply.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Lifetime of an answer of a mail server. Our choice, between Postfix's cache of verified addresses (`address_verify_*_refresh_time`: 7
 * days where it accepts, 3 hours where it refuses) and the manners of asking seldom: a mailbox that was refused may be made tomorrow.
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

/** When what a mail server said is to be asked for again; of what may change by then, the time to try again. */
export function mailboxExpiry({ finding, catchAll, checkedAt, retryAt }: ProbedMailbox): Date {
  if (retryAt !== null) return retryAt;
  const ownMs = findingMs[finding] ?? otherFindingMs;
  // That it accepts means as much as the control does.
  const lifetimeMs =
    finding === 'mailbox_accepts' ? Math.min(ownMs, Math.max(hourMs, catchAllMs[catchAll])) : ownMs;
  return new Date(checkedAt.getTime() + lifetimeMs);
}

/** Postgrey knows whom it has put off for two days (`--retry-window`). */
const controlMs = 2 * dayMs;

/** When the name of a control that was put off is of no use any more. */
export function controlExpiry(askedAt: Date): Date {
  return new Date(askedAt.getTime() + controlMs);
}

/** When the mail hosts of a domain are to be asked again whether they accept any address. */
export function catchAllExpiry(state: CatchAll, askedAt: Date): Date {
  return new Date(askedAt.getTime() + catchAllMs[state]);
}
