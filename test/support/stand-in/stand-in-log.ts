import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Failure } from './stand-in-failures.ts';

/** One call as the source saw it: the oracle of the tests that count, pace and kill. */
export interface StandInCall {
  /** Arrival of the request, milliseconds since 1970 with fractions. */
  readonly at: number;
  /** The `Idempotency-Key`, or null where none was sent. */
  readonly requestKey: string | null;
  /** The request body, parsed where it is JSON and as text where not. */
  readonly body: unknown;
  /** The status of the answer, written whether or not somebody was left to read it; 0 where none was begun. */
  status: number;
  /** The answer was a stored one, given before under the same key. */
  replay: boolean;
  /** The call took effect at the source: it looked, and charged where it found ads. A replay does not. */
  effect: boolean;
  /** Deliberate failure of the call; null: none. */
  failure: Failure['kind'] | null;
  /** The whole answer was handed to the network. The caller may still have lost it. */
  answered: boolean;
}

/** Appends a finished call as one line of NDJSON. Lines stand in the order in which calls ended; sort by `at`. */
export function appendCall(logFile: string, call: StandInCall): void {
  appendFileSync(logFile, `${JSON.stringify(call)}\n`);
}

/** Reads the finished calls of a log file, in order of arrival. None when there is no file yet; a last line that is still being
 * written is left out. */
export function parseLogFile(logFile: string): readonly StandInCall[] {
  const lines = existsSync(logFile) ? readFileSync(logFile, 'utf8').split('\n').slice(0, -1) : [];
  return lines.map((line) => JSON.parse(line) as StandInCall).sort((a, b) => a.at - b.at);
}

/** The most calls that arrived within any one second (half open), refused ones included; `windowMs` for another window. */
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

/** Number of effects by request key; calls without a key are left out. More than 1 is a search bought twice. */
export function effectsByKey(log: readonly StandInCall[]): ReadonlyMap<string, number> {
  const effects = new Map<string, number>();
  for (const { requestKey, effect } of log) {
    if (effect && requestKey !== null) effects.set(requestKey, (effects.get(requestKey) ?? 0) + 1);
  }
  return effects;
}
