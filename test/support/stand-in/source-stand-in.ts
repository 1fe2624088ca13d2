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
  /** Every call so far, in order of arrival; an entry is filled in until its connection has ended. */
  readonly log: readonly StandInCall[];
  /** Connections accepted so far. */
  readonly connections: () => number;
  /** Replaces the script for the calls to come. */
  readonly setBehaviour: (behaviour: Behaviour) => void;
  /** Stops the server for this many milliseconds: cuts open connections, then listens again at the same address. */
  readonly goAway: (forMs: number) => Promise<void>;
  /** Stops listening and cuts what is open. */
  readonly close: () => Promise<void>;
}

/**
 * Starts a real HTTP server on loopback that implements the contract, strict about requests, with scripted answers and
 * failures. Tests check its log.
 *
 * A call takes effect after its latency and before its answer, also if the caller has gone by then: that is when a real source
 * would charge. Stored answers live in memory and end with it.
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
