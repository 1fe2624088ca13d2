import type { Breakage } from './breakage.ts';

/** Ways to break invariant 8. */
export const leases: readonly Breakage[] = [
  {
    number: 8,
    name: 'a chunk that stays claimed after its lease',
    by: ({ claimed }) =>
      `UPDATE nightshift.chunks SET lease_until = now() - interval '2 min' WHERE first_lookup_id = ${claimed}`,
    finding: ({ runningId }) => `of batch ${runningId} is claimed, and its lease ended 12`,
  },
  {
    number: 8,
    name: 'running work in a finished batch',
    // Without the trigger that deletes the blocks of its lookups.
    by: ({ runningBatch }) => `SET session_replication_role = replica;
      UPDATE nightshift.batches SET state = 'finished', finished_at = now() WHERE id = ${runningBatch};
      RESET session_replication_role`,
    finding: ({ runningId }) => `is queued, and its batch ${runningId} is finished`,
    also: [2],
  },
];
