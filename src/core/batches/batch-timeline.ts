import type { PauseKind } from '../work/pause.ts';

/** Events in the life of a batch: its states by name, and the actions of people. */
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

/** Something that happened to a batch. A wait that comes again, with nothing but waiting in between, is one entry. */
export interface TimelineEntry {
  readonly id: bigint;
  readonly event: BatchEvent;
  readonly at: Date;
  /** In plain words; null where there is nothing to say. */
  readonly reason: string | null;
  /** Reason of a wait for a source. */
  readonly waitKind: PauseKind | null;
  /** Author: the id of a key or of a user, or `cli`; null for automatic events. */
  readonly by: string | null;
  /** Display name of the author; null: unknown. */
  readonly byName: string | null;
  /** Number of failed lookups that a retry repeats. */
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

/** Port: what happened to a batch, and how fast it goes. */
export interface BatchTimeline {
  /** From its beginning, behind the entry that is named. */
  list(batchId: number, limit: number, afterId: bigint): Promise<readonly TimelineEntry[]>;
  /**
   * Measured over the last five minutes, or since it runs, or over its newest forty chunks, whatever is shortest. Null while it does not
   * run, and while nothing has ended in that time.
   */
  readPace(batchId: number): Promise<BatchPace | null>;
}
