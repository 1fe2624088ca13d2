import { createHash } from 'node:crypto';
import { takeSeed } from './seed.ts';

/** Seed of a test as a 32-bit number for fast-check; `NIGHTSHIFT_TEST_SEED` may be any text. */
export function takeSeedNumber(): number {
  return createHash('sha256').update(takeSeed()).digest().readInt32BE();
}
