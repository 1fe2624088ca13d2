import assert from 'node:assert/strict';
import type { Queue } from 'bullmq';
import type { QueuedChunk } from '../core/work/work-store.ts';
import { catalog, chunkJobId, chunkKinds, type ChunkKind } from './catalog.ts';
import { createQueue, prepareQueue, type QueueConnection } from './connection.ts';
import { callsTo, withQueue } from './with-queue.ts';

/** Queue of chunks. */
export interface ChunkQueue {
  /**
   * Enqueues chunks, each as the job of its generation. Existing jobs do not change.
   *
   * @throws QueueUnavailable when the queue is unreachable, or accepted fewer jobs.
   */
  enqueue(chunks: readonly QueuedChunk[]): Promise<void>;
  /** Lists chunks whose job is missing or finished. */
  listMissing(chunks: readonly QueuedChunk[]): Promise<readonly QueuedChunk[]>;
  /** Reads the payloads of all jobs, as JSON text: ids only (docs/architecture/decisions/0003-postgres-is-the-record.md). */
  readPayloads(): Promise<readonly string[]>;
  /** Removes all jobs, as a lost queue would. Postgres restores them. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

const jobsMax = 1000;
/** Lowest priority of BullMQ. */
const priorityMax = 2_097_151;
const openTypes = ['waiting', 'active', 'delayed', 'prioritized'] as const;
const doneStates = new Set(['completed', 'failed', 'unknown']);

/** Opens the queue of chunks on either backend and creates its tables on Postgres. */
export async function openChunkQueue(
  connection: QueueConnection,
  options: { onError: (error: Error) => void },
): Promise<ChunkQueue> {
  await withQueue(() => prepareQueue(connection));
  const queues = { chunk: openOne('chunk'), quarantined: openOne('quarantined') };
  const all = Object.values(queues);
  // BullMQ never recovers from a failed first connection.
  await withQueue(() => Promise.all(all.map((queue) => queue.waitUntilReady())));

  function openOne(kind: ChunkKind): Queue {
    const queue = createQueue(catalog[kind].queue, connection);
    queue.on('error', options.onError);
    return queue;
  }

  const call = callsTo(connection);
  return {
    enqueue: (chunks) =>
      call(async () => {
        for (const [kind, queue] of kindsOf(queues)) await enqueue(queue, kind, ofKind(kind, chunks));
      }),
    listMissing: (chunks) =>
      call(async () => {
        const missing = kindsOf(queues).map(([kind, queue]) => listMissing(queue, ofKind(kind, chunks)));
        return (await Promise.all(missing)).flat();
      }),
    readPayloads: () => call(async () => (await Promise.all(all.map(readPayloads))).flat()),
    empty: () =>
      call(async () => void (await Promise.all(all.map((queue) => queue.obliterate({ force: true }))))),
    close: async () => void (await Promise.all(all.map((queue) => queue.close()))),
  };
}

function kindsOf(queues: Readonly<Record<ChunkKind, Queue>>): readonly (readonly [ChunkKind, Queue])[] {
  return chunkKinds.map((kind) => [kind, queues[kind]] as const);
}

function ofKind(kind: ChunkKind, chunks: readonly QueuedChunk[]): readonly QueuedChunk[] {
  return chunks.filter(({ isQuarantined }) => isQuarantined === (kind === 'quarantined'));
}

async function readPayloads(queue: Queue): Promise<readonly string[]> {
  return (await queue.getJobs([...openTypes, 'failed'])).map((job) => JSON.stringify(job.data));
}

async function enqueue(queue: Queue, kind: ChunkKind, chunks: readonly QueuedChunk[]): Promise<void> {
  for (let from = 0; from < chunks.length; from += jobsMax) {
    const part = chunks.slice(from, from + jobsMax);
    const jobs = await queue.addBulk(
      part.map((chunk) => ({
        name: kind,
        data: { chunkId: chunk.chunkId, generation: chunk.generation },
        opts: {
          jobId: chunkJobId(chunk),
          // Accounts interleave: an account that joins precedes the later chunks of others. BullMQ would run priority 0 before all others.
          priority: Math.min(chunk.turn + 1, priorityMax),
          ...(chunk.delayMs > 0 ? { delay: chunk.delayMs } : {}),
        },
      })),
    );
    // On Redis addBulk is a pipeline, not a transaction: it can drop a job without an error (measured).
    part.forEach((chunk, i) => {
      assert.equal(jobs[i]?.id, chunkJobId(chunk), 'the queue accepts every job');
    });
  }
}

async function listMissing(queue: Queue, chunks: readonly QueuedChunk[]): Promise<readonly QueuedChunk[]> {
  const states = await Promise.all(chunks.map((chunk) => queue.getJobState(chunkJobId(chunk))));
  return chunks.filter((_, i) => doneStates.has(states[i] ?? 'unknown'));
}
