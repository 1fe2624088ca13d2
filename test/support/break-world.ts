import type { World } from './world.ts';

/** The triggers that guard a table; all of them fire in every replication role. */
const guardsOf: Readonly<Record<string, readonly string[]>> = {
  lookups: ['outcome_is_final'],
  ledger_entries: ['append_only', 'append_only_truncate'],
  ledger_blocks: ['append_only', 'append_only_truncate'],
  lookup_ads: ['append_only', 'append_only_truncate'],
  ad_versions: ['append_only', 'append_only_truncate'],
  ad_variants: ['append_only', 'append_only_truncate'],
};

/** The statement as only the tables' owner can run it: with the guards of the table down meanwhile. */
export function unguarded(table: keyof typeof guardsOf, statement: string): string {
  const guards = guardsOf[table] ?? [];
  const enable = guards.map((guard) => `ALTER TABLE nightshift.${table} ENABLE ALWAYS TRIGGER ${guard}`);
  return [`ALTER TABLE nightshift.${table} DISABLE TRIGGER USER`, statement, ...enable].join(';\n');
}

/** The statement without the constraint that would refuse it. */
export function unconstrained(table: string, constraint: string, statement: string): string {
  return `ALTER TABLE nightshift.${table} DROP CONSTRAINT ${constraint};\n${statement}`;
}

/** Credits moved for a lookup by the ledger's own functions, as a worker that does it a second time would. */
export function moveCredits(
  lookupId: bigint,
  {
    accountId = 1,
    attempt = 2,
    end,
  }: { accountId?: number; attempt?: number; end: 'settle' | 'release' | 'none' },
): string {
  const key = `${accountId}, ARRAY[${lookupId}]::bigint[], ARRAY[${attempt}]::smallint[]`;
  const amount = end === 'settle' ? 200_000 : 0;
  const reserve = `SELECT nightshift.credit_reserve(${key}, ARRAY[200000]::bigint[])`;
  const resolve = `SELECT nightshift.credit_resolve(${key}, ARRAY[${amount}]::bigint[])`;
  return end === 'none' ? reserve : `${reserve};\n${resolve}`;
}

/** The condition that picks the chunk which was cut for these lookups. */
export function chunkFrom(lookupId: bigint | undefined): string {
  return `first_lookup_id = ${lookupId} AND last_lookup_id >= first_lookup_id`;
}

/** The world's lookups under short names: those of the finished batch, and those of the running one. */
export function nameLookups({ finished, running, request }: World) {
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
