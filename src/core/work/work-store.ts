import type { Pause } from './wait-cause.ts';
import type { Claim } from './claim.ts';
import type { Reschedule } from './reschedule.ts';
import type { ShareOptions } from './share-chunks.ts';

/** Port: claims of chunks. Only the database's clock decides about leases. */
export interface WorkStore {
  /**
   * Claims the chunk for `leaseMs`, and counts the start before the work. Null when there is nothing to do: the chunk is
   * finished, has another generation or another holder, or its batch does not run.
   */
  claim(chunkId: number, generation: number, leaseMs: number): Promise<Claim | null>;
  /** Renews leases; returns the lost ones, and those whose batch no longer runs. */
  renew(tokens: readonly string[], leaseMs: number): Promise<Renewal>;
  /**
   * Releases a chunk with open lookups in good order: its next generation is enqueued, due after `delayMs`, and the start does
   * not count. `failedTries` names lookups that used up a try, `reported` the answers to remember for others.
   */
  release(claim: Claim, reschedule: Reschedule): Promise<void>;
  /** Holds a batch until its source can be called again, for at least this long; its chunks stay queued. */
  deferBatch(batchId: number, pause: Pause): Promise<void>;
}

/** Result of renewing leases. */
export interface Renewal {
  /** The chunk may belong to another worker now. */
  readonly lost: readonly string[];
  /** Still ours, but its batch waits for its source: no call is recorded any more, and those that are recorded are sent. */
  readonly waiting: readonly string[];
  /** Still ours, but its batch was paused, cancelled, or waits for credits: no new call may start. */
  readonly halted: readonly string[];
}

/** Sizes and numbers of chunks. */
export interface ChunkBounds {
  /** Lookups per chunk for an operation of a batch with these sources, beside this number of accounts with work. */
  readonly sizeOf: (operation: Claim['operation'], sources: readonly string[], accounts: number) => number;
  /**
   * Maximum number of chunks of companies that run or wait, of all accounts together, for batches with these sources beside this number of
   * accounts. Accounts share it by their weights, and their batches equally. Default: none.
   */
  readonly searchChunksMax?: ((sources: readonly string[], accounts: number) => number) | undefined;
}

/**
 * Port: the database operations of the dispatcher. All of them are safe to repeat and safe to interrupt
 * (docs/architecture/decisions/0003-postgres-is-the-record.md).
 */
export interface DispatchStore {
  /**
   * Gives turns to chunks of running batches, and holds credits for them: of each batch first to those that have lost their turn, then to
   * parked ones, then to new ones. Shares them between accounts by their weights, then between batches (`ChunkShares`). Returns the number of
   * these chunks.
   */
  cutChunks(options: ShareOptions & ChunkBounds): Promise<number>;
  /** Forgets the turns of accounts, which another dispatcher may have continued. Called when this process takes the leader lock. */
  forgetTurns(): void;
  /** Lists chunks of running batches that have a turn and no job yet. */
  listUnqueued(limit: number): Promise<readonly QueuedChunk[]>;
  /** Records that these chunks have their jobs, each for its generation. */
  markQueued(chunks: readonly QueuedChunk[]): Promise<void>;
  /** Counts chunks that run or could run: a chunk that waits for a later time or for a turn does not count. */
  countOpen(): Promise<number>;
  /** Lists chunks that were enqueued more than `olderThanMs` ago and that no worker has claimed. */
  listWaitingLong(olderThanMs: number, limit: number): Promise<readonly QueuedChunk[]>;
  /** Gives chunks whose jobs were lost their next generation, to be enqueued again. */
  requeue(chunks: readonly QueuedChunk[]): Promise<void>;
  /** Lists chunks whose lease has expired. */
  listLapsed(limit: number): Promise<readonly LapsedChunk[]>;
  /** Queues a chunk with an expired lease as its next generation. False when its worker renewed the lease meanwhile. */
  rescue(chunk: LapsedChunk): Promise<boolean>;
  /** Splits a chunk with an expired lease: each open lookup continues in its own chunk, or in one of sixteen if there are many. */
  split(chunk: LapsedChunk): Promise<boolean>;
  /** Claims a chunk with an expired lease, to end its open lookups. Null when its worker renewed the lease meanwhile. */
  takeOver(chunk: LapsedChunk, leaseMs: number): Promise<Claim | null>;
  /**
   * Moves what waits for a moment of the database clock back with that clock, when it was set back. Returns the milliseconds by which it was; 0
   * mostly.
   */
  followClock(leaseMs: number): Promise<number>;
  /** Resumes batches that can continue: credits have arrived, or the wait for a source is over. */
  wakeBatches(): Promise<number>;
  /** Finishes batches whose last lookup has ended, and pauses those that have reached their limit; returns their number. */
  finishBatches(): Promise<number>;
}

/** A chunk with the generation of its job. */
export interface QueuedChunk {
  readonly chunkId: number;
  readonly generation: number;
  /** Milliseconds until the job is due; 0: at once. */
  readonly delayMs: number;
  /** Turn of the chunk; lower ones run first (`FairTurns`). */
  readonly turn: number;
  /** True for a single lookup during which a worker died before: it may have killed that worker. */
  readonly isQuarantined: boolean;
}

/** A chunk with an expired lease. */
export interface LapsedChunk {
  readonly chunkId: number;
  readonly token: string;
  /** Null for the chunk of a single request, which only its caller would work on. */
  readonly batchId: number | null;
  readonly starts: number;
  /** Number of its lookups; 1 for a lookup that runs alone. */
  readonly lookups: number;
}
