import type { PriorAnswer } from './claim.ts';

/** When a chunk is to be worked on again, which of its lookups have used up a try, and what sources have said of those still open. */
export interface Reschedule {
  readonly delayMs: number;
  readonly failedTries: readonly bigint[];
  /** `OpenLookup.said` of those that are still open; absent: nothing new. */
  readonly reported?: ReadonlyMap<bigint, readonly PriorAnswer[]>;
}
