import type { EmailStatus } from '../emails/verdict/verdict.ts';
import type { Outcome } from '../work/outcomes.ts';
import type { Operation } from './price-book.ts';

/** An entry of the ledger, in microcredits. */
export interface LedgerLine {
  /** Gapless number of the entry in its account. */
  readonly seq: bigint;
  readonly kind: 'grant' | 'reserve' | 'settle' | 'release';
  readonly balanceDeltaMicro: bigint;
  readonly heldDeltaMicro: bigint;
  readonly balanceAfterMicro: bigint;
  readonly heldAfterMicro: bigint;
  /** Reason of a grant. */
  readonly reason: string | null;
  readonly lookupId: bigint | null;
  /** Batch of the lookup. */
  readonly batch: string | null;
  readonly request: string | null;
  readonly at: Date;
  readonly operation: Operation | null;
  /** Company or address of the lookup; null after a purge (docs/guides/retention.md). */
  readonly companyDomain: string | null;
  readonly companyName: string | null;
  readonly email: string | null;
  /**
   * Outcome, for the entry that ended a lookup's last hold. Null for other entries, such as a release for a pause, and for a purged lookup
   * without a charge.
   */
  readonly outcome: Outcome | null;
  /** Verdict of a completed validation; null after a purge. */
  readonly emailStatus: EmailStatus | null;
}

/** Port: the ledger in readable form. */
export interface LedgerList {
  /** Lists the entries of an account, newest first, from before the given one. */
  list(
    accountId: number,
    page: { readonly limit: number; readonly before: bigint | null },
  ): Promise<readonly LedgerLine[]>;
}
