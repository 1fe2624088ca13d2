import type { InvariantNumber } from '../../../src/core/reports/invariants.ts';
import type { Fixture } from '../db/fixture.ts';

/** Manual damage to the data, and the invariant that must detect it. */
export interface Breakage {
  readonly number: InvariantNumber;
  /** Description of the damage, as the end of a sentence. */
  readonly name: string;
  /** Statement that runs with all rights. */
  readonly by: (names: Names) => string;
  /** Text that a finding must contain. */
  readonly finding: (names: Names) => string;
  /** Other invariants that the same damage breaks, and that must report it, too. */
  readonly also?: readonly InvariantNumber[];
}

/** Names the lookups of the fixture: of the finished batch and of the running one. */
export function nameLookups({ finished, running, request }: Fixture) {
  const [foundTwo = 0n, foundOne = 0n, none = 0n, noMatch = 0n, failed = 0n] = finished.lookupIds;
  const [split = 0n, claimed = 0n, alone = 0n, queued = 0n, queuedToo = 0n, undispatched = 0n] =
    running.lookupIds;
  return {
    ...{ foundTwo, foundOne, none, noMatch, failed },
    ...{ split, claimed, alone, queued, queuedToo, undispatched },
    request: request.lookupId,
    finishedBatch: finished.batchId,
    finishedId: finished.publicId,
    runningBatch: running.batchId,
    runningId: running.publicId,
  };
}

export type Names = ReturnType<typeof nameLookups>;
