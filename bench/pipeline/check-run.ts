import type { Expected } from '../data/expected.ts';
import { withClient } from '../support/bench-server.ts';
import { expectEqual } from '../support/expect.ts';

/** Counts of a batch from its rows, lookups, links and ledger entries. */
const countBatch = `SELECT
    (SELECT count(*)::integer FROM nightshift.batch_rows WHERE batch_id = b.id) AS rows,
    (SELECT count(*)::integer FROM nightshift.batch_rows WHERE batch_id = b.id AND reject_reason IS NOT NULL) AS rejected,
    count(l.*)::integer AS lookups, (count(*) FILTER (WHERE l.outcome = 'found'))::integer AS found,
    (count(*) FILTER (WHERE l.outcome = 'no_match'))::integer AS "noMatch",
    (SELECT count(*)::integer FROM nightshift.lookup_ads a WHERE a.lookup_id BETWEEN min(l.id) AND max(l.id)) AS links,
    (SELECT count(*)::integer FROM nightshift.ledger_entries e WHERE e.lookup_id BETWEEN min(l.id) AND max(l.id)) AS entries,
    (SELECT (-sum(e.balance_delta_micro))::text FROM nightshift.ledger_entries e
      WHERE e.lookup_id BETWEEN min(l.id) AND max(l.id)) AS "chargedMicro"
  FROM nightshift.batches b JOIN nightshift.lookups l ON l.batch_id = b.id WHERE b.id = $1 GROUP BY b.id`;

/** Ends the benchmark unless a batch has exactly the expected results of its file and the fixture. */
export async function checkRun(
  what: string,
  url: string,
  batchId: number,
  expected: Expected,
): Promise<void> {
  const { rows } = await withClient(url, (client) =>
    client.query<Record<string, unknown>>(countBatch, [batchId]),
  );
  const { rows: rowCount, rejected, lookups, found, links } = expected;
  expectEqual(`The record of ${what}`, rows[0], {
    rows: rowCount,
    rejected,
    lookups,
    found,
    noMatch: lookups - found,
    links,
    entries: 2 * lookups,
    chargedMicro: String(found * 200_000),
  });
}
