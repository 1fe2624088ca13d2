import type { Machine } from '../support/machine.ts';
import type { RefusalTimes } from './bad-keys.ts';
import type { ServerRate } from './load-clients.ts';

/** Servers to compare, in the order of a round. */
export const serverKinds = ['floor', 'ours', 'hono'] as const;
export type ServerKind = (typeof serverKinds)[number];

/** Concurrent clients: one, as many as keep two cores busy, and many more than the pool of connections. */
export const clientCounts = [1, 16, 64] as const;
export type ClientCount = (typeof clientCounts)[number];

/** Milliseconds: median and 99th percentile. */
export interface Latencies {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** All measurements. */
export interface ApiFigures {
  readonly machine: Machine;
  readonly rounds: readonly Readonly<Record<ServerKind, Readonly<Record<ClientCount, ServerRate>>>>[];
  /** One key check at a time, alternating with a `SELECT 1`, which is the time of any query to Postgres here. */
  readonly keyCheck: Latencies;
  readonly bareQuestion: Latencies;
  /** Bad keys of every kind: the time to detect them, and to reject them over HTTP. */
  readonly badKeys: { readonly check: RefusalTimes; readonly answer: RefusalTimes };
  readonly creatives: number;
}
