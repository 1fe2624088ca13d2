import assert from 'node:assert/strict';

/** Ends the benchmark if a run has another result than expected: a fast wrong result is worthless. */
export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  assert.deepEqual(
    actual,
    expected,
    `${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`,
  );
}
