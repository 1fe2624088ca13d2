import type { EmailValidator } from './validate-email.ts';
import { awaitedAt, type EmailVerdict } from '../emails/verdict/verdict.ts';

/** A recheck of an address from a single request, for the next request about it. */
export interface Recheck {
  readonly lookupId: bigint;
  /** Number of times it was enqueued; a job with an older number does nothing. */
  readonly round: number;
}

/** Port: due rechecks. */
export interface RecheckStore {
  /** Claims due rechecks; those not settled within `leaseMs` become due again. */
  takeDue(limit: number, leaseMs: number): Promise<readonly Recheck[]>;
  /** Reads the address; null when the recheck belongs to an older round or its person was erased. */
  readAddress(recheck: Recheck): Promise<string | null>;
  /** Ends the recheck, or postpones it. */
  settle(recheck: Recheck, dueAt: Date | null): Promise<void>;
}

export interface RecheckWork {
  readonly rechecks: RecheckStore;
  readonly validator: Pick<EmailValidator, 'validate'>;
}

/** Validates the address again. The result goes into the cache of mailboxes; nothing is charged. */
export async function recheckMailbox(
  { rechecks, validator }: RecheckWork,
  recheck: Recheck,
  signal: AbortSignal,
): Promise<void> {
  const email = await rechecks.readAddress(recheck);
  const dueAt = email === null ? null : recheckAt(await validator.validate(email, signal));
  await rechecks.settle(recheck, dueAt);
}

/** Time at which another check of the mail server may settle the verdict; null when it would not. */
export function recheckAt(verdict: EmailVerdict): Date | null {
  return verdict.domain?.route.kind === 'hosts' ? awaitedAt(verdict) : null;
}
