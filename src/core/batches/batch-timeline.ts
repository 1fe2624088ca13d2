import type { PauseKind } from '../work/pause.ts';

/** Events of a batch: its states by name, and the actions of people. */
export const batchEvents = [
  'created',
  'loaded',
  'paused',
  'resumed',
  'waiting_for_credits',
  'waiting_for_source',
  'retried',
  'finished',
  'cancelled',
] as const;
export type BatchEvent = (typeof batchEvents)[number];

/** An event of a batch. Repeated waits without another event in between are one entry. */
export interface TimelineEntry {
  readonly id: bigint;
  readonly event: BatchEvent;
  readonly at: Date;
  /** In plain words; null without a reason. */
  readonly reason: string | null;
  /** Reason of a wait for a source. */
  readonly waitKind: PauseKind | null;
  /** Author: the id of a key or of a user, or `cli`; null for automatic events. */
  readonly by: string | null;
  /** Display name of the author; null: unknown. */
  readonly byName: string | null;
  /** Number of lookups that a retry repeats. */
  readonly retried: number | null;
  /** Number of waits, with the start and the end of the last one; the end is null while it lasts. */
  readonly times: number;
  readonly lastAt: Date;
  readonly endedAt: Date | null;
}

/** Recent throughput of a batch. */
export interface BatchPace {
  /** Lookups that have ended within so many seconds. */
  readonly ended: number;
  readonly seconds: number;
}

/** Port: the timeline of a batch, and its throughput. */
export interface BatchTimeline {
  /** Lists entries from the oldest, after the given one. */
  list(batchId: number, limit: number, afterId: bigint): Promise<readonly TimelineEntry[]>;
  /**
   * Throughput over the last five minutes, the time since the batch started, or its newest forty chunks, whichever is shortest.
   * Null while the batch does not run, and if nothing ended in that time.
   */
  readPace(batchId: number): Promise<BatchPace | null>;
}
