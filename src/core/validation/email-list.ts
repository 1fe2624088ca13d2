import type { EmailReason } from '../emails/reasons.ts';
import type { EmailStatus, Recommendation, VerificationLevel } from '../emails/verdict/verdict.ts';

/** A verdict on an address, as it was given to an account. */
export interface ListedEmail {
  readonly lookupId: bigint;
  /** As it was first written. */
  readonly email: string;
  readonly status: EmailStatus;
  /** All that is worth knowing, the decisive one first. Codes of other versions of Nightshift may be among them. */
  readonly reasons: readonly string[];
  readonly recommendation: Recommendation;
  readonly level: VerificationLevel;
  readonly didYouMean: string | null;
  readonly mxProvider: string | null;
  readonly checkedAt: Date;
  /** When asking again may give another answer. */
  readonly retryAt: Date | null;
  /** The batch that it was in, by its public id and the name of its file; null for a single validation. */
  readonly batch: string | null;
  readonly fileName: string | null;
}

/** Filter of verdicts; null: any. */
export interface EmailFilter {
  /** Each has to stand in the address, in whatever case. */
  readonly words: readonly string[];
  readonly status: EmailStatus | null;
  readonly recommendation: Recommendation | null;
  readonly reason: EmailReason | null;
  /** A batch, by its public id. */
  readonly batch: string | null;
}

/** Port: the verdicts of an account. Persons who were forgotten, and addresses that were purged, are not among them. */
export interface EmailList {
  /** The newest first, from before the given lookup. @throws NotFound when the account has no such batch. */
  list(
    accountId: number,
    filter: EmailFilter,
    page: { readonly limit: number; readonly before: bigint | null },
  ): Promise<readonly ListedEmail[]>;
}
