import type { StoredResponse } from '../accounts/stored-response.ts';
import type { EmailClaim } from '../work/claim.ts';
import type { LeaseKeeper } from '../work/lease-keeper.ts';
import type { EmailQuery } from '../emails/syntax/email-query.ts';
import type { EmailValidator } from './validate-email.ts';
import type { EmailVerdict } from '../emails/verdict/verdict.ts';

/** One validation, and who asks. */
export interface ValidationRequest {
  readonly accountId: number;
  readonly address: EmailQuery;
  /** Names the lookup where results are shown; unique. */
  readonly requestId: string;
  /** Stores the answer for a repeat of the request. */
  readonly kept?: StoredResponse<ValidatedEmail> | null;
}

/** The verdict as it is stored, and what it cost. */
export interface ValidatedEmail {
  readonly verdict: EmailVerdict;
  readonly chargedMicro: bigint;
}

/** Port: single validations outside a batch; as `RequestStore` does it for searches. */
export interface EmailRequestStore {
  /** @throws InsufficientCredits when the balance is below the price of a verdict; nothing is left behind. */
  openValidation(request: ValidationRequest, leaseMs: number): Promise<EmailClaim>;
  /** @throws LeaseLost when the claim, or the right to keep the answer, is no longer ours; nothing was written. */
  answerValidation(
    claim: EmailClaim,
    verdict: EmailVerdict,
    kept: StoredResponse<ValidatedEmail> | null,
  ): Promise<ValidatedEmail>;
}

export interface ValidateRequestOptions {
  readonly requests: EmailRequestStore;
  readonly validator: Pick<EmailValidator, 'validate'>;
  readonly leases: LeaseKeeper;
  readonly leaseMs: number;
}

/**
 * Validates one address, stores the verdict, and charges for it unless it is `unknown`.
 *
 * A mail server that puts us off is not waited for: the answer is `unknown`, and says when to ask again.
 *
 * @throws InsufficientCredits when the balance is below the price of a verdict: nobody is asked.
 */
export async function validateRequest(
  { requests, validator, leases, leaseMs }: ValidateRequestOptions,
  request: ValidationRequest,
): Promise<ValidatedEmail> {
  const askedAtMs = performance.now();
  const claim = await requests.openValidation(request, leaseMs);
  const lease = leases.keep(claim, askedAtMs);
  try {
    const verdict = await validator.validate(request.address.email, lease.signal);
    return await requests.answerValidation(claim, verdict, request.kept ?? null);
  } finally {
    lease.release();
  }
}
