import type { Worker, WorkerOptions } from 'bullmq';
import { recheckMailbox, type RecheckWork } from '../src/core/validation/recheck.ts';
import { ShutdownError } from '../src/core/async/shutdown-error.ts';
import { workChunk, type ChunkWork } from '../src/core/work/work-chunk.ts';
import {
  catalog,
  chunkKinds,
  parseChunkJob,
  parseRecheckJob,
  parseTickJob,
  type ChunkKind,
  type JobKind,
} from '../src/queue/catalog.ts';
import { createWorker, type QueueConnection } from '../src/queue/connection.ts';
import { tickQueueSettings } from '../src/queue/tick-queue-settings.ts';
import { withQueue } from '../src/queue/with-queue.ts';

export interface WorkersOptions {
  readonly connection: QueueConnection;
  readonly chunkWork: ChunkWork;
  /** Null: no mail server is asked again here. */
  readonly recheckWork: RecheckWork | null;
  /** Deals with what is due of a schedule. */
  readonly tick: (schedule: string) => Promise<void>;
  /** Time that a stop waits for calls under way before it aborts them. */
  readonly graceMs: number;
  readonly onError: (error: unknown) => void;
}

/** The workers of this process. */
export interface Workers {
  /** Takes no more jobs and begins no more calls, lets those under way end within the grace time, and gives the rest back. */
  close(): Promise<void>;
}

/**
 * Starts one BullMQ worker per kind of chunk, one for rechecks of mailboxes, and one for ticks of schedules.
 *
 * BullMQ's own limits on lost and stalled jobs are switched off on purpose: by default it gives a job up when its worker was
 * killed twice. Starts are counted in Postgres instead, and a job that runs twice finds its chunk taken.
 *
 * @throws QueueUnavailable when the queue went away meanwhile. BullMQ remembers for good that its first look failed, and such a
 *   worker would ask in circles and never work.
 */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const stop = new AbortController();
  const workers = [
    ...chunkKinds.map((kind) => startChunkWorker(kind, options)),
    ...(options.recheckWork === null ? [] : [startRecheckWorker(options.recheckWork, options, stop.signal)]),
    startTickWorker(options),
  ];
  try {
    await withQueue(() => Promise.all(workers.map((worker) => worker.waitUntilReady())));
  } catch (error) {
    await Promise.all(workers.map((worker) => worker.close(true)));
    throw error;
  }
  return {
    close: () => {
      stop.abort(new ShutdownError('This worker is stopping.'));
      return closeGracefully(workers, options);
    },
  };
}

function startChunkWorker(kind: ChunkKind, options: WorkersOptions): Worker {
  return startWorker(kind, options, async (data) => {
    const { chunkId, generation } = parseChunkJob(data);
    await workChunk(options.chunkWork, chunkId, generation);
  });
}

/** Starts the rechecks. A recheck that is cut off or lost is due again by the record in Postgres. */
function startRecheckWorker(work: RecheckWork, options: WorkersOptions, signal: AbortSignal): Worker {
  return startWorker('recheck', options, async (data) => {
    const { lookupId, round } = parseRecheckJob(data);
    await recheckMailbox(work, { lookupId: BigInt(lookupId), round }, signal);
  });
}

/** A tick that is lost, or fails, is still due by the record in Postgres. */
function startTickWorker(options: WorkersOptions): Worker {
  const { settings } = tickQueueSettings;
  return startWorker('tick', options, (data) => options.tick(parseTickJob(data).schedule), {
    settings,
    removeOnFail: { count: 0 },
  });
}

function startWorker(
  kind: JobKind,
  { connection, chunkWork, onError }: WorkersOptions,
  work: (data: unknown) => Promise<void>,
  changes: Pick<WorkerOptions, 'settings' | 'removeOnFail'> = {},
): Worker {
  const { queue, concurrency } = catalog[kind];
  const worker = createWorker(queue, (job) => work(job.data), connection, {
    concurrency,
    // A worker that died between taking a job and claiming its chunk is noticed as fast as one that died later.
    lockDuration: chunkWork.leaseMs,
    stalledInterval: chunkWork.leaseMs,
    maxStalledCount: 1_000_000,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 1000 },
    ...changes,
  });
  worker.on('error', onError);
  worker.on('failed', (_, error) => onError(error));
  return worker;
}

async function closeGracefully(
  workers: readonly Worker[],
  { chunkWork: { leases }, graceMs, onError }: WorkersOptions,
): Promise<void> {
  const stopping = new ShutdownError('This worker is stopping.');
  leases.stopAccepting(stopping);
  const timer = setTimeout(() => leases.abortAll(stopping), graceMs);
  try {
    await Promise.all(workers.map((worker) => worker.close()));
  } finally {
    clearTimeout(timer);
    // BullMQ does not wait for its look for stalled jobs; that one finds the connections closed is nothing to tell.
    for (const worker of workers) worker.off('error', onError).on('error', () => undefined);
  }
}
