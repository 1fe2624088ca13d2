import { inboxPoll, recheck, scanStart, unfinishedChunk } from '../core/work/retry-policies.ts';

/** Settings of a kind of job. */
export interface JobKindSettings {
  /** Name of the queue, with dashes only: the colon has a special meaning in BullMQ. */
  readonly queue: string;
  /** Maximum number of concurrent jobs of this kind in one process. */
  readonly concurrency: number;
  /** Rule by which Postgres enqueues another job for the same work. BullMQ itself runs a job once (`queueJob`). */
  readonly retry: Readonly<Record<string, number>>;
}

/**
 * Every kind of job. Payloads are ids only: no company, no address, no key
 * (docs/architecture/decisions/0003-postgres-is-the-record.md).
 *
 * - `chunk`: part of a batch. More chunks run than the process-wide limit of calls needs, so that one slow call leaves no other
 *   idle.
 * - `quarantined`: a single lookup whose worker died before. They run one at a time: together, one that kills its worker would
 *   take the others along until all end as dead letters (measured with 15 healthy companies).
 * - `recheck`: an address whose mail server is due again. No caller waits, and it spends most of its time waiting for a server.
 * - `tick`: a due time of a schedule. It records a scan and loads its batch; the number of concurrent loads is limited anyway.
 * - `inbox`: a look into an inbox that is due, with the loads of its files, one after the other. Few at a time, because each can take long and
 *   loads with several connections.
 */
export const catalog = {
  chunk: { queue: 'nightshift-chunks', concurrency: 16, retry: unfinishedChunk },
  quarantined: { queue: 'nightshift-quarantined', concurrency: 1, retry: unfinishedChunk },
  recheck: { queue: 'nightshift-rechecks', concurrency: 20, retry: recheck },
  tick: { queue: 'nightshift-ticks', concurrency: 8, retry: scanStart },
  inbox: { queue: 'nightshift-inboxes', concurrency: 2, retry: inboxPoll },
} as const satisfies Readonly<Record<string, JobKindSettings>>;

export type JobKind = keyof typeof catalog;

/** Kinds of jobs with a chunk as payload. */
export const chunkKinds = ['chunk', 'quarantined'] as const satisfies readonly JobKind[];
export type ChunkKind = (typeof chunkKinds)[number];

/** Payload of a chunk. */
export interface ChunkJob {
  readonly chunkId: number;
  readonly generation: number;
}

/** Job id of a chunk's generation; the same in every process, so that the queue drops a duplicate. */
export function chunkJobId({ chunkId, generation }: ChunkJob): string {
  return `chunk-${chunkId}-${generation}`;
}

/** Parses the payload of a chunk; rejects anything else that is in the queue. */
export function parseChunkJob(data: unknown): ChunkJob {
  const { chunkId, generation } = (data ?? {}) as Record<string, unknown>;
  if (!Number.isSafeInteger(chunkId) || !Number.isSafeInteger(generation)) {
    throw new TypeError('invalid chunk job: chunkId and generation must be integers');
  }
  return { chunkId: chunkId as number, generation: generation as number };
}

/** Payload of a recheck. */
export interface RecheckJob {
  /** Lookup id in decimal digits. */
  readonly lookupId: string;
  readonly round: number;
}

/** Parses the payload of a recheck; rejects anything else that is in the queue. */
export function parseRecheckJob(data: unknown): RecheckJob {
  const { lookupId, round } = (data ?? {}) as Record<string, unknown>;
  if (typeof lookupId !== 'string' || !/^\d+$/.test(lookupId) || !Number.isSafeInteger(round)) {
    throw new TypeError('invalid recheck job: lookupId must be digits and round an integer');
  }
  return { lookupId, round: round as number };
}

/** Payload of a tick. */
export interface TickJob {
  /** Public id of the schedule. */
  readonly schedule: string;
}

/** Parses the payload of a tick; rejects anything else that is in the queue. */
export function parseTickJob(data: unknown): TickJob {
  const { schedule } = (data ?? {}) as Record<string, unknown>;
  if (typeof schedule !== 'string' || !/^sch_[0-9a-f]{32}$/.test(schedule)) {
    throw new TypeError('invalid tick job: schedule must be the id of a schedule');
  }
  return { schedule };
}

/** Payload of a look into an inbox. */
export interface InboxJob {
  /** Public id of the inbox. */
  readonly inbox: string;
}

/** Parses the payload of a look into an inbox; rejects anything else that is in the queue. */
export function parseInboxJob(data: unknown): InboxJob {
  const { inbox } = (data ?? {}) as Record<string, unknown>;
  if (typeof inbox !== 'string' || !/^inb_[0-9a-f]{32}$/.test(inbox)) {
    throw new TypeError('invalid inbox job: inbox must be the id of an inbox');
  }
  return { inbox };
}
