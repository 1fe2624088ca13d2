import type { Worker, WorkerOptions } from 'bullmq';
import { recheckMailbox, type RecheckWork } from '../src/core/validation/recheck.ts';
import { queueCall } from '../src/core/work/redis-retries.ts';
import { serverOutage } from '../src/core/work/retry-policies.ts';
import { answerInTime } from '../src/core/async/answer-in-time.ts';
import { ShutdownError } from '../src/core/async/shutdown-error.ts';
import { workChunk, type ChunkWork } from '../src/core/work/work-chunk.ts';
import {
  catalog,
  chunkKinds,
  parseChunkJob,
  parseInboxJob,
  parseRecheckJob,
  parseTickJob,
  type ChunkKind,
  type JobKind,
} from '../src/queue/catalog.ts';
import { createWorker, type QueueConnection } from '../src/queue/connection.ts';
import { tickQueueSettings } from '../src/queue/tick-queue-settings.ts';
import { withQueue } from '../src/queue/with-queue.ts';

/** Options of the workers. */
export interface WorkersOptions {
  readonly connection: QueueConnection;
  readonly chunkWork: ChunkWork;
  /** Work of mailbox rechecks; null: none in this process. */
  readonly recheckWork: RecheckWork | null;
  /** Fires a schedule that is due and starts its waiting scans. */
  readonly tick: (schedule: string) => Promise<void>;
  /** Looks into an inbox that is due, and loads its files, until the signal aborts. */
  readonly pollInbox: (inbox: string, signal: AbortSignal) => Promise<void>;
  /** Time that a stop waits for calls in flight before it aborts them. */
  readonly graceMs: number;
  readonly onError: (error: unknown) => void;
}

/** Workers of this process. */
export interface Workers {
  /** Accepts no more jobs and starts no more calls, waits for calls in flight within the grace time, and releases the rest. */
  close(): Promise<void>;
}

/**
 * Starts one BullMQ worker per kind of chunk, one for rechecks of mailboxes, one for ticks of schedules, and one for inboxes.
 *
 * The limits of BullMQ on lost and stalled jobs are disabled on purpose: by default, it fails a job whose worker was killed twice. Postgres
 * counts starts instead, and a job that runs twice finds its chunk claimed.
 *
 * @throws QueueUnavailable when the queue is unreachable. BullMQ never recovers from a failed first connection: such a worker would poll
 *   forever without working.
 */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const stop = new AbortController();
  const workers = [
    ...chunkKinds.map((kind) => startChunkWorker(kind, options)),
    ...(options.recheckWork === null ? [] : [startRecheckWorker(options.recheckWork, options, stop.signal)]),
    startTickWorker(options),
    startInboxWorker(options, stop.signal),
  ];
  try {
    await withQueue(() => Promise.all(workers.map((worker) => worker.waitUntilReady())));
  } catch (error) {
    await Promise.all(workers.map((worker) => worker.close(true)));
    throw error;
  }
  return {
    close: () => {
      stop.abort(new ShutdownError('worker is stopping'));
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

/** Starts the worker for rechecks. An interrupted or lost recheck becomes due again in Postgres. */
function startRecheckWorker(work: RecheckWork, options: WorkersOptions, signal: AbortSignal): Worker {
  return startWorker('recheck', options, async (data) => {
    const { lookupId, round } = parseRecheckJob(data);
    await recheckMailbox(work, { lookupId: BigInt(lookupId), round }, signal);
  });
}

/** Starts the worker for ticks. A lost or failed tick is still due in Postgres. */
function startTickWorker(options: WorkersOptions): Worker {
  const { settings } = tickQueueSettings;
  return startWorker('tick', options, (data) => options.tick(parseTickJob(data).schedule), {
    settings,
    removeOnFail: { count: 0 },
  });
}

/** Starts the worker for inboxes. A look that is lost, or interrupted between two files, is still due in Postgres. */
function startInboxWorker(options: WorkersOptions, signal: AbortSignal): Worker {
  const poll = (data: unknown) => options.pollInbox(parseInboxJob(data).inbox, signal);
  return startWorker('inbox', options, poll, { removeOnFail: { count: 0 } });
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
    // A worker that dies before it claims its chunk is detected as fast as one that dies later.
    lockDuration: chunkWork.leaseMs,
    stalledInterval: chunkWork.leaseMs,
    // By default, a worker waits for 15 s after a refused connection, however soon the server is back.
    runRetryDelay: serverOutage.delayMs,
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
  const stopping = new ShutdownError('worker is stopping');
  leases.stopAccepting(stopping);
  const timer = setTimeout(() => leases.abortAll(stopping), graceMs);
  const noted = Promise.all(workers.map((worker) => worker.close()));
  try {
    // BullMQ waits without a limit for a Redis that does not answer. `disconnect` of ioredis leaves sent commands without an answer.
    await withQueue(() => answerInTime(graceMs + queueCall.stopMsMax, () => noted)).catch(onError);
  } finally {
    clearTimeout(timer);
    // BullMQ does not wait for its check of stalled jobs, whose error about closed connections is irrelevant.
    for (const worker of workers) worker.off('error', onError).on('error', () => undefined);
  }
}
