import type { LookupResult } from '../outcomes.ts';
import type { EmailClaim, OpenAddress } from '../work/claim.ts';
import type { ComeBack } from '../work/come-back.ts';
import type { EmailValidator } from './validate-email.ts';
import type { EmailVerdict } from './verdict.ts';

export interface ClaimValidation {
  readonly validator: Pick<EmailValidator, 'validate'>;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** Called as soon as an address has its final verdict, in any order. */
  readonly onResult: (result: LookupResult) => void;
}

/** How often an address waits for somebody who may answer later. Then `unknown` is the answer. */
const waitsMax = { dns: 1, server: 3 } as const;

/** An address is put off for so long at most, however late somebody wants to be asked again; milliseconds. */
const waitMsMax = 60 * 60_000;

/** Validates the addresses of a claim. Answers when the chunk is to come back for those that are put off; null when all are done. */
export async function validateClaim(claim: EmailClaim, options: ClaimValidation): Promise<ComeBack | null> {
  const waits: { readonly lookupId: bigint; readonly delayMs: number }[] = [];
  async function validate({ lookupId, email, tries }: OpenAddress): Promise<void> {
    if (email === null) {
      options.onResult({ lookupId, source: null, answer: { kind: 'failed', reason: 'forgotten' } });
      return;
    }
    const verdict = await options.validator.validate(email, options.signal);
    const delayMs = waitOf(verdict, tries, options.now());
    if (delayMs === null)
      options.onResult({ lookupId, source: null, answer: { kind: 'completed', verdict } });
    else waits.push({ lookupId, delayMs });
  }
  await Promise.all(claim.lookups.map(validate));
  if (waits.length === 0) return null;
  return {
    delayMs: Math.max(...waits.map(({ delayMs }) => delayMs)),
    failedTries: waits.map(({ lookupId }) => lookupId),
  };
}

/** How long to wait for a better answer; null when this one stands. */
function waitOf({ status, level, retryAt }: EmailVerdict, tries: number, now: Date): number | null {
  if (status !== 'unknown' || retryAt === null) return null;
  if (tries >= (level === 'mailbox' ? waitsMax.server : waitsMax.dns)) return null;
  return Math.min(waitMsMax, Math.max(0, retryAt.getTime() - now.getTime()));
}
