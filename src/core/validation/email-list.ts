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
  readonly evidence: ListedEvidence;
  readonly checkedAt: Date;
  /** Time from which another validation may have another result. */
  readonly retryAt: Date | null;
  /** The batch of the address, by its public id, its name and the name of its file; null for a single validation. */
  readonly batch: string | null;
  readonly batchName: string | null;
  readonly fileName: string | null;
}

/** Evidence of the checks, besides the reasons; null: not known. */
export interface ListedEvidence {
  readonly isDisposable: boolean;
  readonly isPrivacyRelay: boolean;
  readonly isRole: boolean;
  readonly isFree: boolean;
  readonly isCatchAll: boolean | null;
  readonly mxRecord: string | null;
  readonly mxSecurityGateway: boolean | null;
  readonly implicitMx: boolean | null;
  readonly hasSpf: boolean | null;
  readonly hasDmarc: boolean | null;
  /** Mail host that answered; null when none was asked. */
  readonly smtpHost: string | null;
  readonly smtpCode: number | null;
  readonly smtpEnhancedCode: string | null;
  /** Answer to the control address: `accepted`, `refused`, `inconclusive` or `not_run`. */
  readonly catchAllProbe: string | null;
  readonly probeAttempts: number | null;
}

/** Numbers of verdicts. */
export interface EmailCounts {
  readonly total: number;
  readonly statuses: Readonly<Record<EmailStatus, number>>;
  readonly recommendations: Readonly<Record<Recommendation, number>>;
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
  /** Counts the verdicts that match. A million take seconds. @throws NotFound when the account has no such batch. */
  count(accountId: number, filter: EmailFilter): Promise<EmailCounts>;
}
