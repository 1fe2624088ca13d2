/** `warning`: it works, and will not for ever or not as well as it could. `problem`: something that Nightshift promises is not kept. */
export type FindingStatus = 'ok' | 'warning' | 'problem';

/** Result of one check, for a person who has to fix it. */
export interface Finding {
  /** Name of the check; the same in every run. */
  readonly name: string;
  readonly status: FindingStatus;
  /** Finding, never with a password or a key. */
  readonly found: string;
  /** Remedy, with a command where there is one; null when there is nothing to do. */
  readonly remedy: string | null;
}

/** A finding that needs nothing done. */
export function ok(name: string, found: string): Finding {
  return { name, status: 'ok', found, remedy: null };
}

/** A finding that somebody should see to. */
export function warning(name: string, found: string, remedy: string): Finding {
  return { name, status: 'warning', found, remedy };
}

/** A finding that breaks a promise, or keeps Nightshift from working. */
export function problem(name: string, found: string, remedy: string): Finding {
  return { name, status: 'problem', found, remedy };
}

/**
 * Looks at one thing, apart from all others. A check that fails is a problem under its own name: what could not be looked at is
 * never called "ok", and never keeps the others from being looked at.
 */
export async function examine(
  name: string,
  check: () => Promise<readonly Finding[]> | readonly Finding[],
): Promise<readonly Finding[]> {
  try {
    return await check();
  } catch (error) {
    const remedy =
      'Mend that and run `nightshift doctor` again; report it when you cannot tell what it means.';
    return [problem(name, `could not be checked: ${errorMessage(error)}`, remedy)];
  }
}

/** The first line of what was met, past the wrappers of drivers: theirs quote the whole statement. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return errorMessage(error.cause);
  const met =
    error instanceof AggregateError && error.message === '' ? errorMessage(error.errors[0]) : error.message;
  return met.split('\n')[0] ?? '';
}
