import type { Machine } from '../support/machine.ts';
import type { RefusalTimes } from './bad-keys.ts';
import type { ServerRate } from './load-clients.ts';

/** Servers to compare, in the order of a round. */
export const serverKinds = ['floor', 'ours', 'hono'] as const;
export type ServerKind = (typeof serverKinds)[number];

/** Clients at a time: one, and as many as keep two cores busy. */
export const clientCounts = [1, 16] as const;
export type ClientCount = (typeof clientCounts)[number];

/** Milliseconds: median and 99th percentile. */
export interface Latencies {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** All that was measured. */
export interface ApiFigures {
  readonly machine: Machine;
  readonly rounds: readonly Readonly<Record<ServerKind, Readonly<Record<ClientCount, ServerRate>>>>[];
  /** One check of a key at a time, and in turns with them a `SELECT 1`, which is what any question to Postgres takes here. */
  readonly keyCheck: Latencies;
  readonly bareQuestion: Latencies;
  /** Bad keys of every kind: how long it takes to know that they are bad, and to be told so over HTTP. */
  readonly badKeys: { readonly check: RefusalTimes; readonly answer: RefusalTimes };
  readonly creatives: number;
}
