import type { Pause } from './pause.ts';
import type { Claim } from './claim.ts';
import type { Reschedule } from './reschedule.ts';

/** Port: who works on which chunk. The database's clock decides about leases, nobody else's. */
export interface WorkStore {
  /**
   * Takes the chunk for `leaseMs`, counting the start before the work. Null when there is nothing to do: finished, of another
   * generation, held by somebody else, or its batch does not run.
   */
  claim(chunkId: number, generation: number, leaseMs: number): Promise<Claim | null>;
  /** Prolongs leases; answers which of them are no longer ours, and which belong to a batch that runs no more. */
  renew(tokens: readonly string[], leaseMs: number): Promise<Renewal>;
  /**
   * Ends our work on a chunk whose lookups are not all done, in good order: it goes back to the queue as its next generation,
   * due after `delayMs`, and the start does not count. `failedTries` names lookups that used up a try, `said` what to remember of others.
   */
  release(claim: Claim, reschedule: Reschedule): Promise<void>;
  /** Lets a batch wait until its source can be asked again, for so long at least; its chunks stay in line. */
  holdBatch(batchId: number, pause: Pause): Promise<void>;
}

/** Result of renewing leases. */
export interface Renewal {
  /** The chunk may belong to another worker by now. */
  readonly lost: readonly string[];
  /** Still ours, but its batch was paused, cancelled, or waits: no further call may begin. */
  readonly halted: readonly string[];
}

/**
 * Port: what the dispatcher needs of the record. All of it is safe to repeat and safe to lose half-way
 * (docs/architecture/decisions/0003-postgres-is-the-record.md).
 */
export interface DispatchStore {
  /**
   * Puts at most `chunksMax` chunks of running batches in line and holds credits for them: parked ones first, then new ones. The
   * batch with the fewest in line comes first. Answers how many it put in line.
   */
  cutChunks(options: {
    readonly chunksMax: number;
    /** Lookups per chunk for an operation of a batch with these sources. */
    readonly sizeOf: (operation: Claim['operation'], sources: readonly string[]) => number;
  }): Promise<number>;
  /** Chunks of running batches that are in line but not yet in the queue. */
  listUnqueued(limit: number): Promise<readonly QueuedChunk[]>;
  /** Notes that the queue has these chunks now, each as the job of its generation. */
  markQueued(chunks: readonly QueuedChunk[]): Promise<void>;
  /** Counts chunks that are queued or under way. */
  countOpen(): Promise<number>;
  /** Chunks that were put into the queue more than `olderThanMs` ago and that nobody has claimed. */
  listWaitingLong(olderThanMs: number, limit: number): Promise<readonly QueuedChunk[]>;
  /** The queue has lost these chunks' jobs: they get their next generation and go in again. */
  requeue(chunks: readonly QueuedChunk[]): Promise<void>;
  /** Chunks whose worker let the lease lapse. */
  listLapsed(limit: number): Promise<readonly LapsedChunk[]>;
  /** Puts a lapsed chunk back in line as its next generation. False when its worker came back meanwhile. */
  rescue(chunk: LapsedChunk): Promise<boolean>;
  /** Splits a lapsed chunk: each lookup that is still open goes on in a chunk of its own, or in one of sixteen where they are many. */
  split(chunk: LapsedChunk): Promise<boolean>;
  /** Takes a lapsed chunk over, to end what is left of it. Null when its worker came back meanwhile. */
  takeOver(chunk: LapsedChunk, leaseMs: number): Promise<Claim | null>;
  /** Batches that can go on: credits have arrived, or a source's waiting time is over. */
  wakeBatches(): Promise<number>;
  /** Finishes the batches whose last lookup has ended, and pauses those whose limit is reached; answers how many. */
  finishBatches(): Promise<number>;
}

/** A chunk as the job of one generation. */
export interface QueuedChunk {
  readonly chunkId: number;
  readonly generation: number;
  /** Milliseconds until the job is due; 0 for at once. */
  readonly delayMs: number;
  /** The chunk's position in its batch, from 1: the smaller, the sooner. */
  readonly position: number;
  /** One lookup, alone, and a worker died over it before: it may be what killed that worker. */
  readonly isQuarantined: boolean;
}

/** A chunk whose lease ran out. */
export interface LapsedChunk {
  readonly chunkId: number;
  readonly token: string;
  /** Null for the chunk of a single request: nobody but its caller would have worked on it. */
  readonly batchId: number | null;
  readonly starts: number;
  /** The lookups it was made for; 1 for one that runs alone. */
  readonly lookups: number;
}
