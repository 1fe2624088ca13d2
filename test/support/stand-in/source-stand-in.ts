import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { listenOnLoopback } from './loopback.ts';
import { createStandInHandler } from './stand-in-server.ts';
import type { StandInCall } from './stand-in-log.ts';
import type { StandInOptions } from './stand-in-options.ts';
import { behaviourOf, type Behaviour } from './stand-in-script.ts';

export type { StandInOptions } from './stand-in-options.ts';
export { effectsByKey, worstSlidingSecond, type StandInCall } from './stand-in-log.ts';

/** A running stand-in. */
export interface SourceStandIn {
  readonly url: string;
  readonly key: string;
  /** All calls so far, in order of arrival; an entry is updated until its connection ends. */
  readonly log: readonly StandInCall[];
  /** Number of accepted connections so far. */
  readonly connections: () => number;
  /** Replaces the script for further calls. */
  readonly setBehaviour: (behaviour: Behaviour) => void;
  /** Stops the server for this many milliseconds: cuts open connections, then listens again at the same address. */
  readonly goAway: (forMs: number) => Promise<void>;
  /** Stops listening and cuts open connections. */
  readonly close: () => Promise<void>;
}

/**
 * Starts a real HTTP server on loopback that implements the contract, strict about requests, with scripted answers and failures.
 * Tests check its log.
 *
 * A call takes effect after its latency and before its answer, even if the caller has disconnected by then: a real source would
 * charge at this moment. Stored answers are kept in memory.
 */
export async function openSourceStandIn(options: StandInOptions = {}): Promise<SourceStandIn> {
  const { key = 'stand-in-key', script = [], port } = options;
  const log: StandInCall[] = [];
  let behaviour = behaviourOf(script);
  const serve = createStandInHandler({ ...options, key }, log, (call) => behaviour(call));
  const server = createServer((request, response) => void serve(request, response));
  const { url, connections, close, listen } = await listenOnLoopback(server, port);
  const goAway = async (forMs: number) => {
    await close();
    await wait(forMs);
    await listen();
  };
  return { url, key, log, connections, goAway, close, setBehaviour: (next) => void (behaviour = next) };
}
