/**
 * Kinds of jobs with their payloads. Ids only: no company, no address, no key
 * (docs/architecture/decisions/0003-postgres-is-the-record.md).
 */
export interface JobPayloads {
  readonly chunk: ChunkJob;
  /** Chunk of one lookup that ran alone before and whose worker died. */
  readonly quarantined: ChunkJob;
}

/** Payload of a chunk. */
export interface ChunkJob {
  readonly chunkId: number;
  readonly generation: number;
}

/** Kind of a chunk job. */
export type JobKind = keyof JobPayloads;
/** All kinds of chunk jobs. */
export const jobKinds = ['chunk', 'quarantined'] as const satisfies readonly JobKind[];

/** Settings of a kind of job. */
export interface JobKindSettings {
  /** Name of the queue; with dashes, because the colon has a meaning in BullMQ. */
  readonly queue: string;
  /** Maximum number of concurrent jobs of this kind per process. */
  readonly concurrency: number;
}

/**
 * Settings of the chunk queues. A chunk is retried as its next generation, counted in Postgres, so BullMQ never retries a job. More chunks
 * run than the process-wide limit of calls needs, so that the last calls of one chunk overlap with those of others.
 *
 * Quarantined lookups run one at a time. Together, lookups that died with a poison pill would die with it again, and all would end as dead
 * letters (measured: 15 healthy companies with one poison pill).
 */
export const catalog: Readonly<Record<JobKind, JobKindSettings>> = {
  chunk: { queue: 'nightshift-chunks', concurrency: 16 },
  quarantined: { queue: 'nightshift-quarantined', concurrency: 1 },
};

/** Returns the job id of a generation of a chunk. It is deterministic, so that the queue drops duplicates. */
export function chunkJobId({ chunkId, generation }: ChunkJob): string {
  return `chunk-${chunkId}-${generation}`;
}

/** Parses the payload of a chunk job. @throws TypeError for any other payload. */
export function parseChunkJob(data: unknown): ChunkJob {
  const { chunkId, generation } = (data ?? {}) as Record<string, unknown>;
  if (!Number.isSafeInteger(chunkId) || !Number.isSafeInteger(generation)) {
    throw new TypeError('invalid chunk job: chunkId and generation must be integers');
  }
  return { chunkId: chunkId as number, generation: generation as number };
}

/** Settings of the recheck queue. No caller waits for these jobs, and they mostly wait for mail servers. */
export const recheckQueue: JobKindSettings = { queue: 'nightshift-rechecks', concurrency: 20 };

/** Payload of a recheck: ids only, as for chunks. */
export interface RecheckJob {
  /** Lookup id in decimal digits. */
  readonly lookupId: string;
  readonly round: number;
}

/** Parses the payload of a recheck. @throws TypeError for any other payload. */
export function parseRecheckJob(data: unknown): RecheckJob {
  const { lookupId, round } = (data ?? {}) as Record<string, unknown>;
  if (typeof lookupId !== 'string' || !/^\d+$/.test(lookupId) || !Number.isSafeInteger(round)) {
    throw new TypeError('invalid recheck job: lookupId must be digits and round an integer');
  }
  return { lookupId, round: round as number };
}

/** Settings of the tick queue. A tick creates a scan and loads its batch; few batches load at a time anyway. */
export const tickQueue: JobKindSettings = { queue: 'nightshift-ticks', concurrency: 8 };

/** Payload of a tick: the public id of the schedule. */
export interface TickJob {
  readonly schedule: string;
}

/** Parses the payload of a tick. @throws TypeError for any other payload. */
export function parseTickJob(data: unknown): TickJob {
  const { schedule } = (data ?? {}) as Record<string, unknown>;
  if (typeof schedule !== 'string' || !/^sch_[0-9a-f]{32}$/.test(schedule)) {
    throw new TypeError('invalid tick job: schedule must be the id of a schedule');
  }
  return { schedule };
}
