import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Failure } from './stand-in-failures.ts';

/** A call as the source saw it: the reference for tests that count calls, check rates and kill workers. */
export interface StandInCall {
  /** Arrival of the request, milliseconds since 1970 with fractions. */
  readonly at: number;
  /** The `Idempotency-Key`; null if there was none. */
  readonly requestKey: string | null;
  /** Request body: parsed if it is JSON, otherwise text. */
  readonly body: unknown;
  /** Status of the answer, even if no client was left to read it; 0 if there was none. */
  status: number;
  /** True if the answer was a stored one of an earlier call with the same key. */
  replay: boolean;
  /** True if the call took effect at the source: a search, and a charge for ads. A replay has no effect. */
  effect: boolean;
  /** Deliberate failure of the call; null: none. */
  failure: Failure['kind'] | null;
  /** True if the complete answer was written to the network. The caller may still have lost it. */
  answered: boolean;
}

/** Appends a finished call as one line of NDJSON. Lines are in the order in which calls ended; sort by `at`. */
export function appendCall(logFile: string, call: StandInCall): void {
  appendFileSync(logFile, `${JSON.stringify(call)}\n`);
}

/**
 * Reads the finished calls of a log file, in order of arrival. Returns none if the file does not exist yet, and ignores an
 * incomplete last line.
 */
export function parseLogFile(logFile: string): readonly StandInCall[] {
  const lines = existsSync(logFile) ? readFileSync(logFile, 'utf8').split('\n').slice(0, -1) : [];
  return lines.map((line) => JSON.parse(line) as StandInCall).sort((a, b) => a.at - b.at);
}

/** Maximum number of calls that arrived within any second (half open), including rejected ones; `windowMs` for another window. */
export function worstSlidingSecond(log: readonly Pick<StandInCall, 'at'>[], windowMs = 1000): number {
  const times = log.map(({ at }) => at).sort((a, b) => a - b);
  let first = 0;
  let worst = 0;
  for (const [last, at] of times.entries()) {
    while ((times[first] ?? at) <= at - windowMs) first += 1;
    worst = Math.max(worst, last - first + 1);
  }
  return worst;
}

/** Number of effects by request key, without calls that have no key. More than 1 means a search was paid twice. */
export function effectsByKey(log: readonly StandInCall[]): ReadonlyMap<string, number> {
  const effects = new Map<string, number>();
  for (const { requestKey, effect } of log) {
    if (effect && requestKey !== null) effects.set(requestKey, (effects.get(requestKey) ?? 0) + 1);
  }
  return effects;
}
