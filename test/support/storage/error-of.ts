import { expect } from 'vitest';

/**
 * Runs an attempt that fails, and returns code and message of its error: `storage_rejected: …`. Asserts that neither the error nor its
 * causes contain a secret.
 */
export async function errorOf(attempt: Promise<unknown>, secrets: RegExp): Promise<string> {
  const error: unknown = await attempt.then(
    () => new Error('it succeeded'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error && 'code' in error)) throw error;
  expect(textsOf(error)).not.toMatch(secrets);
  return `${String(error.code)}: ${error.message}`;
}

function textsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.message}\n${error.stack ?? ''}\n${JSON.stringify(error)}\n${textsOf(error.cause)}`;
}
