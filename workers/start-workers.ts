import type { Worker } from 'bullmq';
import { Stopping, workChunk, type ChunkWork } from '../src/core/work/work-chunk.ts';
import { catalog, parseChunkJob } from '../src/queue/catalog.ts';
import { createWorker, type QueueConnection } from '../src/queue/connection.ts';

export interface WorkersOptions {
  readonly connection: QueueConnection;
  readonly chunkWork: ChunkWork;
  /** How long a stop waits for calls under way before it cuts them off; DESIGN: 25 s. */
  readonly graceMs: number;
  readonly onError: (error: unknown) => void;
}

/** The workers of this process. */
export interface Workers {
  /** Takes no more jobs and begins no more calls, lets those under way end within the grace time, and gives the rest back. */
  close(): Promise<void>;
}

/**
 * Starts one BullMQ worker per kind of job.
 *
 * BullMQ's own limits on lost and stalled jobs are switched off on purpose: by default it gives a job up when its worker was
 * killed twice. Starts are counted in Postgres instead, and a job that runs twice finds its chunk taken.
 */
export function startWorkers({ connection, chunkWork, graceMs, onError }: WorkersOptions): Workers {
  const chunks = createWorker(
    catalog.chunk.queue,
    async (job) => {
      const { chunkId, generation } = parseChunkJob(job.data);
      await workChunk(chunkWork, chunkId, generation);
    },
    connection,
    {
      concurrency: catalog.chunk.concurrency,
      maxStalledCount: 1_000_000,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 1000 },
    },
  );
  chunks.on('error', onError);
  chunks.on('failed', (_, error) => onError(error));
  return { close: () => closeGracefully(chunks, chunkWork, graceMs) };
}

async function closeGracefully(worker: Worker, { leases }: ChunkWork, graceMs: number): Promise<void> {
  const stopping = new Stopping('This worker is stopping.');
  leases.stopBeginning(stopping);
  const timer = setTimeout(() => leases.abortAll(stopping), graceMs);
  try {
    await worker.close();
  } finally {
    clearTimeout(timer);
  }
}
