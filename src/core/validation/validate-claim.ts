import type { LookupResult } from '../work/outcomes.ts';
import { settleAll } from '../async/under-way.ts';
import type { EmailClaim, OpenAddress } from '../work/claim.ts';
import type { Reschedule } from '../work/reschedule.ts';
import { addressWait } from '../work/retry-policies.ts';
import type { EmailValidator } from './validate-email.ts';
import { awaitedAt, type EmailVerdict } from '../emails/verdict/verdict.ts';

export interface ClaimValidation {
  readonly validator: Pick<EmailValidator, 'validate'>;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** Called as soon as an address has its final verdict, in any order. */
  readonly onResult: (result: LookupResult) => void;
}

/** A postponed address. */
interface Wait {
  readonly lookupId: bigint;
  readonly on: 'dns' | 'server';
  readonly delayMs: number;
}

/** Validates the addresses of a claim. Returns when the chunk is due again for postponed addresses; null when all are done. */
export async function validateClaim(claim: EmailClaim, options: ClaimValidation): Promise<Reschedule | null> {
  const waits: Wait[] = [];
  async function validate({ lookupId, email, tries }: OpenAddress): Promise<void> {
    if (email === null) {
      options.onResult({ lookupId, source: null, answer: { kind: 'failed', reason: 'forgotten' } });
      return;
    }
    const verdict = await options.validator.validate(email, options.signal);
    const wait = waitOf(verdict, tries, options.now());
    if (wait === null) options.onResult({ lookupId, source: null, answer: { kind: 'completed', verdict } });
    else waits.push({ lookupId, ...wait });
  }
  // No address may report after the others have finished: results are committed at the end of the claim.
  await settleAll(claim.lookups.map(validate));
  return waits.length === 0 ? null : rescheduleFor(waits);
}

/**
 * Due when the first mail server is; the other servers are not contacted before their time. But not before DNS may have
 * recovered, because it is queried again at once.
 */
function rescheduleFor(waits: readonly Wait[]): Reschedule {
  const delaysOf = (on: Wait['on']) => waits.filter((wait) => wait.on === on).map(({ delayMs }) => delayMs);
  const [dns, server] = [delaysOf('dns'), delaysOf('server')];
  return {
    delayMs: Math.max(...dns, server.length === 0 ? 0 : Math.min(...server)),
    failedTries: waits.filter(({ on }) => on === 'dns').map(({ lookupId }) => lookupId),
  };
}

/** Delay until a better answer is possible, and its cause; null when the verdict is final. */
function waitOf(verdict: EmailVerdict, tries: number, now: Date): Pick<Wait, 'on' | 'delayMs'> | null {
  const on = verdict.domain?.route.kind === 'unknown' ? 'dns' : 'server';
  const retryAt = awaitedAt(verdict);
  if (retryAt === null) return null;
  if (on === 'dns' && tries >= addressWait.dnsRetriesMax) return null;
  const delayMs = retryAt.getTime() - now.getTime();
  return { on, delayMs: Math.min(addressWait.delayMsMax, Math.max(addressWait.delayMsMin, delayMs)) };
}
