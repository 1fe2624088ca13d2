import type { Trouble } from './stand-in-trouble.ts';

/** One call that the stand-in is about to answer. */
export interface ScriptedCall {
  /** The number of this call among those let in by key and rate limit, from 1. */
  readonly n: number;
  /** The number of this call among those with the same request key, from 1; equal to `n` where there is no key. */
  readonly attempt: number;
  readonly requestKey: string | null;
  /** The domain asked for, else the name. */
  readonly company: string;
}

/** Decides what goes wrong with a call; undefined for nothing. */
export type Behaviour = (call: ScriptedCall) => Trouble | undefined;

/** Trouble for the calls that fit every condition given; plain data, so that it can be handed to another process. */
export interface ScriptLine {
  /** Only these calls, by `n`. */
  readonly calls?: readonly number[];
  /** Only every so manyth call, by `n`. */
  readonly everyNth?: number;
  /** Only the first so many attempts of a request key. */
  readonly attempts?: number;
  /** Only these companies, by domain, else name. */
  readonly companies?: readonly string[];
  readonly trouble: Trouble;
}

/** Turns a script into a behaviour: the first line that fits decides. */
export function behaviourOf(script: readonly ScriptLine[]): Behaviour {
  return (call) => script.find((line) => fits(line, call))?.trouble;
}

function fits(line: ScriptLine, { n, attempt, company }: ScriptedCall): boolean {
  return (
    (line.calls?.includes(n) ?? true) &&
    (line.everyNth === undefined || n % line.everyNth === 0) &&
    (line.attempts === undefined || attempt <= line.attempts) &&
    (line.companies?.includes(company) ?? true)
  );
}
