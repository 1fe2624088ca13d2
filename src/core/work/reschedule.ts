import type { PriorAnswer } from './claim.ts';

/** Time at which a chunk runs again, the lookups that have used up a try, and the answers of sources for open lookups. */
export interface Reschedule {
  readonly delayMs: number;
  readonly failedTries: readonly bigint[];
  /** `OpenLookup.reported` of open lookups; absent: no new answers. */
  readonly reported?: ReadonlyMap<bigint, readonly PriorAnswer[]>;
}
