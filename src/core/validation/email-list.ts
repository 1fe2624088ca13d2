import type { EmailReason } from '../emails/reasons.ts';
import type { EmailStatus, Recommendation, VerificationLevel } from '../emails/verdict/verdict.ts';

/** A verdict on an address of an account. */
export interface ListedEmail {
  readonly lookupId: bigint;
  /** As first written. */
  readonly email: string;
  readonly status: EmailStatus;
  /** Reasons of the verdict, the decisive one first. They may include codes of other versions of Nightshift. */
  readonly reasons: readonly string[];
  readonly recommendation: Recommendation;
  readonly level: VerificationLevel;
  readonly didYouMean: string | null;
  readonly mxProvider: string | null;
  readonly checkedAt: Date;
  /** Time from which another validation may have another result. */
  readonly retryAt: Date | null;
  /** The batch of the address, by its public id and the name of its file; null for a single validation. */
  readonly batch: string | null;
  readonly fileName: string | null;
}

/** Filter of verdicts; null: any. */
export interface EmailFilter {
  /** All of these must occur in the address, case-insensitively. */
  readonly words: readonly string[];
  readonly status: EmailStatus | null;
  readonly recommendation: Recommendation | null;
  readonly reason: EmailReason | null;
  /** A batch, by its public id. */
  readonly batch: string | null;
}

/** Port: the verdicts of an account. Erased persons and purged addresses are excluded. */
export interface EmailList {
  /** Lists verdicts, newest first, from before the given lookup. @throws NotFound when the account has no such batch. */
  list(
    accountId: number,
    filter: EmailFilter,
    page: { readonly limit: number; readonly before: bigint | null },
  ): Promise<readonly ListedEmail[]>;
}
