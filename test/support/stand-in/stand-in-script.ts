import type { Failure } from './stand-in-failures.ts';

/** A call before its answer. */
export interface ScriptedCall {
  /** Number of this call among those with a valid key and within the rate limit, from 1. */
  readonly n: number;
  /** Number of this call among those with the same request key, from 1; equal to `n` without a key. */
  readonly attempt: number;
  readonly requestKey: string | null;
  /** Requested domain, otherwise the name. */
  readonly company: string;
}

/** Decides the failure of a call; undefined for none. */
export type Behaviour = (call: ScriptedCall) => Failure | undefined;

/** Failure of the calls that match every given condition; plain data, so that it can be sent to another process. */
export interface ScriptLine {
  /** Only these calls, by `n`. */
  readonly calls?: readonly number[];
  /** Only every nth call, by `n`. */
  readonly everyNth?: number;
  /** Only the first attempts of a request key, this many. */
  readonly attempts?: number;
  /** Only these companies, by domain, otherwise name. */
  readonly companies?: readonly string[];
  /** Only from this call on, by `n`. */
  readonly from?: number;
  /** Only this many of the calls that match otherwise. */
  readonly forCalls?: number;
  /** Only for this many milliseconds, from the first call that matches otherwise. */
  readonly forMs?: number;
  readonly failure: Failure;
}

/** Converts a script into a behaviour: the first matching line decides. */
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
