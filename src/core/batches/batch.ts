import type { SearchOptions } from '../ads/ads-answer.ts';
import type { Spend } from '../sources/spend.ts';
import type { BatchOwner } from './batch-labels.ts';
import type { BatchOrigin } from './batch-origin.ts';
import type { PauseKind } from '../work/pause.ts';
import type { Wait } from '../work/wait-cause.ts';
import type { Operation } from '../credits/price-book.ts';
import type { EmailStatus } from '../emails/verdict/verdict.ts';
import type { Outcome } from '../work/outcomes.ts';
import { Conflict } from '../errors.ts';

/** The states of a batch; `finished` and `cancelled` are final (docs/architecture/concepts.md). */
export const batchStates = [
  'loading',
  'running',
  'paused',
  'waiting_for_credits',
  'waiting_for_source',
  'finished',
  'cancelled',
] as const;
export type BatchState = (typeof batchStates)[number];

/** Number of lookups by outcome; `open` lookups have not ended yet. */
export type LookupCounts = Readonly<Record<Outcome | 'open' | 'total', number>>;

/** Bounds of a batch; null for no bound. The bounds of the latest run apply. */
export interface BatchBounds {
  /** `--limit`: only companies that occur in the first n rows are looked up. */
  readonly limitRows: number | null;
  /** `--max-credits`: maximum total charge of the batch, in microcredits. */
  readonly maxCreditsMicro: bigint | null;
  /** `--max-spend`: maximum cost of its calls to sources, by their prices. Default: null. */
  readonly maxSpend?: Spend | null;
}

export const noBounds: BatchBounds = { limitRows: null, maxCreditsMicro: null };

/** A batch as it is shown to people. Amounts are in microcredits. */
export interface BatchSummary {
  readonly batchId: number;
  readonly publicId: string;
  readonly accountId: number;
  /** Name that people gave it; default: the name of its file, or of its schedule. */
  readonly name: string;
  readonly fileName: string;
  /** Name of the sheet that was read; null for a file without sheets. */
  readonly sheet: string | null;
  /** Text between two cells of the file; null for another format than CSV, and for batches from before it was stored. */
  readonly delimiter: string | null;
  readonly state: BatchState;
  /** Reason of a wait, in plain words; null while the batch does not wait. */
  readonly stateReason: string | null;
  /** Reason of a wait for a source; else null. */
  readonly waitKind: PauseKind | null;
  /** Time of the next automatic retry, if the batch waits for a source and the time is known; else null. */
  readonly waitUntil: Date | null;
  /** Cause of a wait, also of a running batch whose source is throttled; null while its calls go out. */
  readonly wait: Wait | null;
  readonly operations: readonly Operation[];
  readonly sources: readonly string[];
  readonly search: SearchOptions;
  readonly rows: { readonly total: number; readonly rejected: number };
  /** Companies and addresses. Lookups that a retry replaced do not count, so each subject counts once. */
  readonly lookups: LookupCounts;
  /** Addresses among the lookups: their total, and their number by verdict. */
  readonly emails: Readonly<Record<EmailStatus | 'total', number>>;
  /** Companies with more ads than were requested; 0 after a purge of the rows. */
  readonly adsTruncated: number;
  readonly chargedMicro: bigint;
  /** Maximum cost of the batch, in microcredits: every lookup has a result. */
  readonly ceilingMicro: bigint;
  readonly bounds: BatchBounds;
  /** True when the batch is paused because the rows of its limit are done. */
  readonly isLimitReached: boolean;
  /** Null for older batches whose origin was not recorded. */
  readonly origin: BatchOrigin | null;
  readonly owner: BatchOwner | null;
  readonly tags: readonly string[];
  /** Time at which it was archived; null while it is in the list of batches. */
  readonly archivedAt: Date | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  /** Time at which its rows and results were purged; null before. */
  readonly purgedAt: Date | null;
}

/**
 * Counts as they are shown: `completed` and the verdicts only if addresses are validated, `ads_truncated` only if there are
 * such companies.
 */
export function shownCounts(batch: BatchSummary) {
  const { adsTruncated } = batch;
  return { ...countsOf(batch), ...(adsTruncated === 0 ? {} : { ads_truncated: adsTruncated }) };
}

function countsOf({ lookups, emails, operations }: BatchSummary) {
  const { total, found, none, no_match, completed, failed, cancelled, open } = lookups;
  if (!operations.includes('email_validation')) {
    return { lookups: { total, found, none, no_match, failed, cancelled, open } };
  }
  return {
    lookups: { total, found, none, no_match, completed, failed, cancelled, open },
    emails: { ...emails },
  };
}

/** True for a final state. */
export function isFinal(state: BatchState): boolean {
  return state === 'finished' || state === 'cancelled';
}

/** Actions of people on a batch. */
export type BatchMove = 'pause' | 'resume' | 'cancel' | 'retry';

/** The states from which each move is allowed; repeating a move is allowed too. */
export const movesFrom: Readonly<Record<BatchMove, readonly BatchState[]>> = {
  pause: ['running', 'waiting_for_credits', 'waiting_for_source', 'paused'],
  resume: ['running', 'waiting_for_credits', 'waiting_for_source', 'paused'],
  cancel: ['loading', 'running', 'waiting_for_credits', 'waiting_for_source', 'paused', 'cancelled'],
  retry: ['finished'],
};

/** Error for rows of a batch that a purge removed (docs/guides/retention.md). */
export function rowsArePurged(publicId: string, purgedAt: Date): Conflict {
  return new Conflict(
    `${publicId} was purged on ${purgedAt.toISOString().slice(0, 10)}: its rows and results are deleted. ` +
      'Its counts and charges stay. Load the file again to create a new batch.',
  );
}
