import type { Allowance } from './allowance.ts';

/** One call to a live source, as its adapter describes it. */
export interface SourceCall<T> {
  /** Description of the call without secrets; the same text for the same question: `ads of nike.com, page 2`. */
  readonly about: string;
  /** The most that it can cost, in units of the source's price. Until its answer is known it stands in the bill with that. */
  readonly unitsMax: number;
  /** Sends it; aborts with the signal. Retries nothing. */
  readonly send: (signal: AbortSignal) => Promise<SourceReply>;
  /** Reads what came, without the secrets that its links had (`withoutSecrets`). Pure: a kept reply is read again. @throws SourceUnreadable */
  readonly read: (text: string) => ReadReply<T>;
}

/** Raw reply of a source. */
export interface SourceReply {
  readonly text: string;
  /** Rate limit that the source reports beside the answer. */
  readonly allowance: Allowance | null;
}

/** A reply that was read. */
export interface ReadReply<T> {
  readonly value: T;
  /**
   * Meaning of the reply for the company. `none` and `no_match` are the whole answer; `candidates` leads to it: possible companies, or
   * nothing so far where another call follows.
   */
  readonly says: 'found' | 'none' | 'no_match' | 'candidates';
  /** Cost by the source's price list, in its units. */
  readonly units: number;
  /** Charge that the source reports, in its own currency. */
  readonly charged?: number;
}

/**
 * Makes one call: waits for its turn, has it on record before it is sent, keeps what came, and counts what it cost. A call whose
 * reply was kept is not made again.
 *
 * @throws what `send` and `read` throw; SourceThrottled when its turn is too far away; SourcePaused when the source is not asked at
 *   the moment; InDoubt when the call was cut off, now or earlier, and may not be repeated.
 */
export interface SourceCallExecutor {
  <T>(call: SourceCall<T>): Promise<T>;
  /**
   * True when a postponed lookup comes back and finds its earlier replies: later calls can wait without paying for the earlier ones again.
   * False where nothing comes back, or replies are not stored.
   */
  readonly comesBack: boolean;
}

/** A pace: so many requests in a second, and how many may come at once after a rest. */
export interface SourcePace {
  readonly requestsPerSecond: number;
  /** Requests that may start at once after a rest; at least 1. */
  readonly burst: number;
}

/** Limits of a credential at a source, over all processes and hosts. */
export interface SourceLimits {
  readonly pace: SourcePace | null;
  /** Calls in flight; null: as many as there are. */
  readonly concurrency: number | null;
  /** Calls a day, by UTC; null: no budget. */
  readonly callsPerDay: number | null;
  /** After so many milliseconds a call has ended, whatever became of it. */
  readonly deadlineMs: number;
}
