import assert from 'node:assert/strict';

/** Ends the benchmark when a run gave something else than it had to: a fast wrong result is no result. */
export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  assert.deepEqual(
    actual,
    expected,
    `${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`,
  );
}
