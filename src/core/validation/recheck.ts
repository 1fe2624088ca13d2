import type { EmailValidator } from './validate-email.ts';
import { awaitedAt, type EmailVerdict } from '../emails/verdict/verdict.ts';

/** An address of a single request whose mail server is asked again, for whoever asks about it next. */
export interface Recheck {
  readonly lookupId: bigint;
  /** Counts how often it was put into the queue; who has an older one has nothing to do. */
  readonly round: number;
}

/** Port: what is to be asked again. */
export interface RecheckStore {
  /** Takes what is due, at most so many; what is not settled within `leaseMs` is due again. */
  takeDue(limit: number, leaseMs: number): Promise<readonly Recheck[]>;
  /** The address; null when the recheck is of an older round, or its person was forgotten. */
  readAddress(recheck: Recheck): Promise<string | null>;
  /** Ends it, or puts it off until then. */
  settle(recheck: Recheck, dueAt: Date | null): Promise<void>;
}

export interface RecheckWork {
  readonly rechecks: RecheckStore;
  readonly validator: Pick<EmailValidator, 'validate'>;
}

/** Asks again. What comes of it is kept with all else that is known of mailboxes; nobody is charged. */
export async function recheckMailbox(
  { rechecks, validator }: RecheckWork,
  recheck: Recheck,
  signal: AbortSignal,
): Promise<void> {
  const email = await rechecks.readAddress(recheck);
  const dueAt = email === null ? null : recheckAt(await validator.validate(email, signal));
  await rechecks.settle(recheck, dueAt);
}

/** When asking the mail server again may settle what is open; null when it would not. */
export function recheckAt(verdict: EmailVerdict): Date | null {
  return verdict.domain?.route.kind === 'hosts' ? awaitedAt(verdict) : null;
}
