import type { Failure } from './stand-in-failures.ts';

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
export type Behaviour = (call: ScriptedCall) => Failure | undefined;

/** Failure of the calls that meet every given condition; plain data, so that it can be sent to another process. */
export interface ScriptLine {
  /** Only these calls, by `n`. */
  readonly calls?: readonly number[];
  /** Only every so manyth call, by `n`. */
  readonly everyNth?: number;
  /** Only the first so many attempts of a request key. */
  readonly attempts?: number;
  /** Only these companies, by domain, else name. */
  readonly companies?: readonly string[];
  /** Only from this call on, by `n`. */
  readonly from?: number;
  /** Only so many calls, of those that fit otherwise. */
  readonly forCalls?: number;
  /** Only for so many milliseconds, from the first call that fits otherwise. */
  readonly forMs?: number;
  readonly failure: Failure;
}

/** Turns a script into a behaviour: the first line that fits decides. */
export function behaviourOf(script: readonly ScriptLine[]): Behaviour {
  const lines = script.map((line) => ({ line, isOver: createEnd(line) }));
  return (call) => lines.find(({ line, isOver }) => fits(line, call) && !isOver())?.line.failure;
}

/** Called once per matching call: true when the failure has ended. */
function createEnd({ forCalls = Infinity, forMs = Infinity }: ScriptLine): () => boolean {
  let calls = 0;
  let begunMs: number | undefined;
  return () => {
    calls += 1;
    begunMs ??= performance.now();
    return calls > forCalls || performance.now() - begunMs > forMs;
  };
}

function fits(line: ScriptLine, { n, attempt, company }: ScriptedCall): boolean {
  return (
    n >= (line.from ?? 1) &&
    (line.calls?.includes(n) ?? true) &&
    (line.everyNth === undefined || n % line.everyNth === 0) &&
    (line.attempts === undefined || attempt <= line.attempts) &&
    (line.companies?.includes(company) ?? true)
  );
}
