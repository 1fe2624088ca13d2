import type { Allowance } from './allowance.ts';
import type { Spend } from './spend.ts';

/** A call to a live source, as its adapter describes it. */
export interface SourceCall<T> {
  /** Description of the call without secrets; the same text for the same question: `ads of nike.com, page 2`. */
  readonly about: string;
  /** Maximum cost, in units of the source's price. The bill uses it until the answer is known. */
  readonly unitsMax: number;
  /** Sends the call; aborts with the signal. Retries nothing. */
  readonly send: (signal: AbortSignal) => Promise<SourceReply>;
  /**
   * Parses a reply after its secrets were removed (`withoutSecrets`). Pure, because stored replies are parsed again.
   *
   * @throws SourceUnreadable
   */
  readonly read: (text: string) => ReadReply<T>;
}

/** Raw reply of a source. */
export interface SourceReply {
  readonly text: string;
  /** Rate limit that the source reports beside the answer. */
  readonly allowance: Allowance | null;
}

/** A parsed reply. */
export interface ReadReply<T> {
  readonly value: T;
  /**
   * Meaning of the reply for the company. `none` and `no_match` are the whole answer; `candidates` leads to it: possible
   * companies, or nothing yet if another call follows.
   */
  readonly says: 'found' | 'none' | 'no_match' | 'candidates';
  /** Cost by the source's price list, in its units. */
  readonly units: number;
  /** Charge that the source reports, in its own currency. */
  readonly charged?: number;
}

/**
 * Makes one call: waits for a reservation, records the call before it is sent, stores the reply, and records the cost. A call
 * with a stored reply is not repeated.
 *
 * @throws the errors of `send` and `read`; SourceThrottled when the reservation is too far away; SourcePaused when the source
 * is paused; InDoubt when the call was cut off, now or earlier, and must not be repeated.
 */
export interface SourceCallExecutor {
  <T>(call: SourceCall<T>): Promise<T>;
  /**
   * True when a rescheduled lookup finds its earlier replies: later calls can wait without paying for the earlier ones again.
   * False if the lookup is not retried or replies are not stored.
   */
  readonly comesBack: boolean;
}

/** A rate limit: requests per second, and the burst after a rest. */
export interface SourcePace {
  readonly requestsPerSecond: number;
  /** Requests that may start at once after a rest; at least 1. */
  readonly burst: number;
}

/** Time between two calls at this rate; milliseconds, 0 without a rate. */
export function intervalMsOf(pace: SourcePace | null): number {
  return pace === null ? 0 : 1000 / pace.requestsPerSecond;
}

/** Limits of a credential at a source, over all processes and hosts. */
export interface SourceLimits {
  readonly pace: SourcePace | null;
  /** Maximum number of concurrent calls; null: no limit. */
  readonly concurrency: number | null;
  /** Calls per day, UTC; null: no limit. */
  readonly callsPerDay: number | null;
  /** Cost of the calls of a day, UTC, by the price of the source; null: no limit. Default: null. */
  readonly spendPerDay?: Spend | null;
  /** Deadline of a call, in milliseconds. */
  readonly deadlineMs: number;
}
