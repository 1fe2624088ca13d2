import type { AdsOutcome } from '../outcomes.ts';

/** The states of a batch; `finished` and `cancelled` are final (DESIGN §2). */
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

/** How many lookups of a batch ended how; `open` have not ended yet. */
export type LookupCounts = Readonly<Record<AdsOutcome | 'open' | 'total', number>>;

/** A batch as people ask about it. Amounts in microcredits. */
export interface BatchSummary {
  readonly batchId: number;
  readonly publicId: string;
  readonly accountId: number;
  readonly fileName: string;
  readonly state: BatchState;
  /** Why it waits, in plain words; null while it does not. */
  readonly stateReason: string | null;
  readonly sources: readonly string[];
  readonly rows: { readonly total: number; readonly rejected: number };
  readonly lookups: LookupCounts;
  readonly chargedMicro: bigint;
  /** What the batch costs at most: every lookup finds ads. */
  readonly ceilingMicro: bigint;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

/** Whether nothing more will happen to a batch in this state. */
export function isFinal(state: BatchState): boolean {
  return state === 'finished' || state === 'cancelled';
}
