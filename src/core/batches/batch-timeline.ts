import type { PauseKind } from '../pause.ts';

/** What can happen to a batch; states by their names, and what is done to it. */
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
  /** What keeps it, of a wait for a source. */
  readonly waitKind: PauseKind | null;
  /** Who did it: the id of a key or of a user, or `cli`; null for what happened by itself. */
  readonly by: string | null;
  /** What people call who did it; null where that is not known. */
  readonly byName: string | null;
  /** Of a retry: failed lookups that are tried again. */
  readonly retried: number | null;
  /** Of a wait: how often it began, when it did last, and when it ended last; null while it lasts. */
  readonly times: number;
  readonly lastAt: Date;
  readonly endedAt: Date | null;
}

/** How fast a batch has gone of late. */
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
