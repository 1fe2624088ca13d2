/**
 * Status of a result. `warning`: it works, but not permanently or not as well as it could. `problem`: a guarantee of Nightshift
 * is broken.
 */
export type FindingStatus = 'ok' | 'warning' | 'problem';

/** Result of one check, for a person who has to fix it. */
export interface Finding {
  /** Name of the check; the same in every run. */
  readonly name: string;
  readonly status: FindingStatus;
  /** Description of the state, without passwords and keys. */
  readonly found: string;
  /** Remedy, with a command if there is one; null when there is nothing to do. */
  readonly remedy: string | null;
}

/** Creates a result that needs no action. */
export function ok(name: string, found: string): Finding {
  return { name, status: 'ok', found, remedy: null };
}

/** Creates a result that needs attention. */
export function warning(name: string, found: string, remedy: string): Finding {
  return { name, status: 'warning', found, remedy };
}

/** Creates a result that breaks a guarantee, or keeps Nightshift from working. */
export function problem(name: string, found: string, remedy: string): Finding {
  return { name, status: 'problem', found, remedy };
}

/**
 * Runs one check, independently of all others. A check that throws is reported as a problem under its own name: it is never "ok", and it
 * never prevents the other checks.
 */
export async function examine(
  name: string,
  check: () => Promise<readonly Finding[]> | readonly Finding[],
): Promise<readonly Finding[]> {
  try {
    return await check();
  } catch (error) {
    const remedy = 'Fix the error and run `nightshift doctor` again. If the error is unclear, report it.';
    return [problem(name, `check failed: ${errorMessage(error)}`, remedy)];
  }
}

/** Returns the first line of an error's message, of its cause if it has one: the wrappers of drivers quote the whole statement. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return errorMessage(error.cause);
  const message =
    error instanceof AggregateError && error.message === '' ? errorMessage(error.errors[0]) : error.message;
  return message.split('\n')[0] ?? '';
}
