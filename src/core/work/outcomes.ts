import type { AdsAnswer } from '../ads/ads-answer.ts';
import type { UncertainAdvertiser } from '../companies/advertiser-candidates.ts';
import type { ErrorCode } from '../errors.ts';
import type { EmailVerdict } from '../emails/verdict/verdict.ts';
import type { Claim } from './claim.ts';

/** The final outcomes of an ads search; exactly one per lookup, never changed (docs/architecture/concepts.md). */
export const adsOutcomes = ['found', 'none', 'no_match', 'failed', 'cancelled'] as const;
export type AdsOutcome = (typeof adsOutcomes)[number];

/** Final outcomes of a validation: completed with a verdict, or not. */
export const emailOutcomes = ['completed', 'failed', 'cancelled'] as const;
export type EmailOutcome = (typeof emailOutcomes)[number];

export type Outcome = AdsOutcome | EmailOutcome;

/** Answer of one source for a lookup: the kind of the answer, or the code and message of the error. */
export interface AskedSource {
  readonly source: string;
  readonly reported: AdsAnswer['kind'] | ErrorCode;
  readonly message?: string;
}

/** Result of one lookup, to store. */
export interface LookupResult {
  readonly lookupId: bigint;
  /** The source whose answer counts; null when no source was called. */
  readonly source: string | null;
  readonly answer: AdsAnswer | EmailAnswer | { readonly kind: 'failed'; readonly reason: string };
  /** All called sources, in order; for companies. */
  readonly asked?: readonly AskedSource[];
  /** `CompanyQuery.key`, if there are candidates. */
  readonly companyKey?: string;
  /** Advertisers that may belong to the company. */
  readonly candidates?: readonly LookupCandidate[];
}

/** An advertiser that may belong to the company of a lookup, and the source that reported it. */
export interface LookupCandidate extends UncertainAdvertiser {
  readonly source: string;
}

/** The answer for an address. */
export interface EmailAnswer {
  readonly kind: 'completed';
  readonly verdict: EmailVerdict;
}

/** Port: commits results and everything that follows from them. */
export interface OutcomeStore {
  /**
   * Commits outcomes, ads, variants, verdicts, states, ledger entries and balance of these lookups in one transaction
   * (docs/architecture/decisions/0004-exactly-once-commit.md).
   *
   * Guarded by the fencing token of the claim and by the previous state of each lookup: lookups that another worker has
   * finished stay unchanged, and repeating a commit whose answer was lost changes nothing.
   *
   * @throws LeaseLost when another worker owns the claim; nothing was written.
   */
  commit(claim: Claim, results: readonly LookupResult[]): Promise<void>;
}
