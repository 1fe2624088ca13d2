import type { StoredResponse } from '../accounts/stored-response.ts';
import type { EmailClaim } from '../work/claim.ts';
import type { LeaseKeeper } from '../work/lease-keeper.ts';
import type { EmailQuery } from '../emails/syntax/email-query.ts';
import type { EmailValidator } from './validate-email.ts';
import type { EmailVerdict } from '../emails/verdict/verdict.ts';

/** One validation, and its caller. */
export interface ValidationRequest {
  readonly accountId: number;
  readonly address: EmailQuery;
  /** Public id of the lookup; unique. */
  readonly requestId: string;
  /** Stores the answer for a repeat of the request. */
  readonly kept?: StoredResponse<ValidatedEmail> | null;
}

/** The stored verdict, and its charge. */
export interface ValidatedEmail {
  readonly verdict: EmailVerdict;
  readonly chargedMicro: bigint;
}

/** Port: single validations outside a batch, like `RequestStore` for searches. */
export interface EmailRequestStore {
  /** @throws InsufficientCredits when the balance is below the price of a verdict; nothing is left behind. */
  openValidation(request: ValidationRequest, leaseMs: number): Promise<EmailClaim>;
  /** @throws LeaseLost when another process has taken over the claim or the idempotency key; nothing was written. */
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
 * It does not wait for a mail server that defers the recipient: the verdict is `unknown` and states when to retry.
 *
 * @throws InsufficientCredits when the balance is below the price of a verdict: nothing is looked up.
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
