import { createHash } from 'node:crypto';
import { takeSeed } from './seed.ts';

/** The seed of a test as the 32-bit number that fast-check wants; any text of `NIGHTSHIFT_TEST_SEED` will do. */
export function takeSeedNumber(): number {
  return createHash('sha256').update(takeSeed()).digest().readInt32BE();
}
