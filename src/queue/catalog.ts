/**
 * The kinds of job there are, and what each carries. Ids only: no company, no address, no key
 * (docs/architecture/decisions/0003-postgres-is-the-record.md).
 */
export interface JobPayloads {
  readonly chunk: ChunkJob;
  /** A chunk of one lookup that ran alone before and whose worker died over it. */
  readonly quarantined: ChunkJob;
}

export interface ChunkJob {
  readonly chunkId: number;
  readonly generation: number;
}

export type JobKind = keyof JobPayloads;
export const jobKinds = ['chunk', 'quarantined'] as const satisfies readonly JobKind[];

/** Settings of a kind of job. */
export interface JobKindSettings {
  /** The queue's name; dashes only, because BullMQ gives the colon a meaning of its own. */
  readonly queue: string;
  /** Jobs of this kind that one process works on at a time. */
  readonly concurrency: number;
}

/**
 * A chunk is tried again through its next generation, which Postgres keeps count of, so BullMQ never repeats a job by itself.
 * More chunks run than are needed to fill the process-wide limit of calls: stragglers of one are filled up by the others.
 *
 * Suspects run one at a time. Together, those that a poisoned one takes along at its first death would die with it every time,
 * and all of them would end as dead letters (measured: 15 healthy companies with one that was not).
 */
export const catalog: Readonly<Record<JobKind, JobKindSettings>> = {
  chunk: { queue: 'nightshift-chunks', concurrency: 16 },
  quarantined: { queue: 'nightshift-suspects', concurrency: 1 },
};

/** The job id of a chunk's generation; the same for whoever enqueues it, so that the queue drops a second one. */
export function chunkJobId({ chunkId, generation }: ChunkJob): string {
  return `chunk-${chunkId}-${generation}`;
}

/** Reads the payload of a chunk job; whatever else lies in the queue is refused. */
export function parseChunkJob(data: unknown): ChunkJob {
  const { chunkId, generation } = (data ?? {}) as Record<string, unknown>;
  if (!Number.isSafeInteger(chunkId) || !Number.isSafeInteger(generation)) {
    throw new TypeError('A chunk job needs chunkId and generation, both whole numbers.');
  }
  return { chunkId: chunkId as number, generation: generation as number };
}

/** Addresses whose mail servers are asked again: nobody waits for them, and most of their time goes by waiting for a server. */
export const recheckQueue: JobKindSettings = { queue: 'nightshift-rechecks', concurrency: 20 };

/** Payload of a recheck: as for chunks, ids only. */
export interface RecheckJob {
  /** Decimal. */
  readonly lookupId: string;
  readonly round: number;
}

/** Reads the payload of a recheck; whatever else lies in the queue is refused. */
export function parseRecheckJob(data: unknown): RecheckJob {
  const { lookupId, round } = (data ?? {}) as Record<string, unknown>;
  if (typeof lookupId !== 'string' || !/^\d+$/.test(lookupId) || !Number.isSafeInteger(round)) {
    throw new TypeError('A recheck needs lookupId, in digits, and round, a whole number.');
  }
  return { lookupId, round: round as number };
}

/** The ticks of schedules. Each only puts a scan on record and loads its list, of which few are loaded at a time anyway. */
export const tickQueue: JobKindSettings = { queue: 'nightshift-ticks', concurrency: 8 };

/** Payload of a tick: the schedule's public id, and nothing of its batch. */
export interface TickJob {
  readonly schedule: string;
}

/** Reads the payload of a tick; whatever else lies in the queue is refused. */
export function parseTickJob(data: unknown): TickJob {
  const { schedule } = (data ?? {}) as Record<string, unknown>;
  if (typeof schedule !== 'string' || !/^sch_[0-9a-f]{32}$/.test(schedule)) {
    throw new TypeError('A tick needs the id of a schedule.');
  }
  return { schedule };
}
