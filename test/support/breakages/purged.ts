import type { Breakage, Names } from './breakage.ts';

/** Purges the request by hand, as a purge leaves it, but for the given columns. */
function purging(
  { request }: Names,
  columns: Partial<Record<'lookups' | 'charged' | 'quarters', string>> = {},
): string {
  const own = `int8multirange(int8range(${request}, ${request + 1n}))`;
  const { lookups = own, charged = own, quarters = 'NULL' } = columns;
  return `INSERT INTO nightshift.purged_chunks (chunk_id, account_id, request_id, lookups, charged, quarters)
      SELECT id, account_id, 'req_1', ${lookups}, ${charged}, ${quarters}
      FROM nightshift.chunks WHERE batch_id IS NULL AND first_lookup_id = ${request};
    DELETE FROM nightshift.lookups WHERE id = ${request}`;
}

/** Ways to break purged chunks, which are part of the invariants 2 and 3. */
export const purged: readonly Breakage[] = [
  {
    number: 2,
    name: 'a purged lookup that is stored',
    by: ({
      request,
      ...names
    }) => `CREATE TEMP TABLE kept AS SELECT * FROM nightshift.lookups WHERE id = ${request};
      ${purging({ request, ...names })};
      INSERT INTO nightshift.lookups SELECT * FROM kept`,
    finding: ({ request }) => `lookup ${request} is purged, and stored`,
  },
  {
    number: 2,
    name: 'a purged chunk without its lookup',
    by: (names) => purging(names, { lookups: `'{}'`, charged: `'{}'` }),
    finding: () => 'counts 1 of 1 lookups; purged are 0 from',
    also: [3, 5],
  },
  {
    number: 2,
    name: 'a lookup of two purged chunks',
    by: ({ request, ...names }) => `${purging({ request, ...names })};
      INSERT INTO nightshift.purged_chunks (chunk_id, account_id, request_id, lookups, charged)
      SELECT 424242, account_id, 'req_2', lookups, charged FROM nightshift.purged_chunks`,
    finding: ({ request }) => `lookup ${request} of chunk 424242 is in another purged chunk, too`,
  },
  {
    number: 2,
    name: 'a purged chunk that is open',
    by: ({
      queued,
      runningBatch,
    }) => `INSERT INTO nightshift.purged_chunks (chunk_id, account_id, batch_id, lookups, charged)
      SELECT id, account_id, batch_id, '{}', '{}' FROM nightshift.chunks
      WHERE batch_id = ${runningBatch} AND first_lookup_id = ${queued}`,
    finding: () => 'is queued, and purged',
  },
  {
    number: 2,
    name: 'a purged chunk of a batch that is not',
    by: ({
      foundTwo,
      finishedBatch,
    }) => `INSERT INTO nightshift.purged_chunks (chunk_id, account_id, batch_id, lookups, charged)
      SELECT id, account_id, batch_id, '{}', '{}' FROM nightshift.chunks
      WHERE batch_id = ${finishedBatch} AND first_lookup_id = ${foundTwo}`,
    finding: ({ finishedId }) => `is purged, and batch ${finishedId} is not`,
    also: [3],
  },
  {
    number: 2,
    name: 'a purged chunk with other counts by time',
    by: (names) =>
      purging(names, {
        quarters: `'[{"at": "2026-01-01Z", "lookups": 2, "charged": 1, "none": 0, "no_match": 0, "unknown": 0, "failed": 1, "cancelled": 0}]'::jsonb`,
      }),
    finding: () => 'counts 1 200000 0 0 0 0 0; its quarters of an hour add up to 2 200000 0 0 0 1 0',
  },
  {
    number: 3,
    name: 'a purged charge that is not recorded',
    by: (names) => purging(names, { charged: `'{}'` }),
    finding: () => 'says it charged 0.2; its 0 purged charges at 0.2 say 0',
  },
  {
    number: 3,
    name: 'a purged charge without its entry in the ledger',
    by: (names) => `${purging(names, { charged: `'{}'` })};
      UPDATE nightshift.chunks SET charged_micro = 0 WHERE batch_id IS NULL AND first_lookup_id = ${names.request}`,
    finding: ({ request }) =>
      `lookup ${request} (purged) says it cost 0; the ledger has 1 charges for it, 0.2 in all`,
  },
];
