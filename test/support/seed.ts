import { randomBytes } from 'node:crypto';
import { onTestFailed } from 'vitest';

/** Seed of a test with random parts: `NIGHTSHIFT_TEST_SEED`, otherwise a new one. A failure prints how to replay it. */
export function takeSeed(): string {
  const seed = process.env['NIGHTSHIFT_TEST_SEED'] ?? randomBytes(4).toString('hex');
  onTestFailed(() => void process.stderr.write(`\nReplay with NIGHTSHIFT_TEST_SEED=${seed}\n`));
  return seed;
}
