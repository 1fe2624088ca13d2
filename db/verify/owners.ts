import { sql } from 'drizzle-orm';
import type { InvariantReport } from '../../src/core/reports/invariants.ts';
import type { Sql } from '../connection/client.ts';
import { countOf, evaluate, type Clause } from './clause.ts';
import { purgedLookups } from './purged-chunks.ts';
import { rowLookups } from './row-lookups.ts';

/** Invariant 5. */
export function checkOwners(db: Sql): Promise<InvariantReport> {
  return evaluate(db, 5, [
    entriesHaveTheirLookup,
    callsHaveTheirLookup,
    lookupsHaveTheirOwner,
    lookupsHaveTheirRows,
    retriesAreCounted,
  ]);
}

/** Lookups with the purged ones. */
const everyLookup = sql`SELECT id FROM nightshift.all_lookups UNION ALL SELECT id FROM ${purgedLookups} p`;

const entriesHaveTheirLookup: Clause = {
  checked: sql`SELECT coalesce(sum(to_seq - from_seq + 1), 0) AS n FROM nightshift.ledger_blocks WHERE first_lookup IS NOT NULL`,
  broken: sql`SELECT format('account %s, entry %s (%s) is for lookup %s, which does not exist', e.account_id, e.seq, e.kind,
        e.lookup_id) AS finding
    FROM nightshift.ledger_entries e LEFT JOIN (${everyLookup}) l ON l.id = e.lookup_id
    WHERE e.lookup_id IS NOT NULL AND l.id IS NULL`,
};

/** A call belongs to a lookup, and is recorded before it is sent. */
const callsHaveTheirLookup: Clause = {
  checked: countOf(sql`nightshift.source_calls`),
  broken: sql`SELECT format('call %s to %s was made for lookup %s, which does not exist', c.id, c.source, c.lookup_id) AS finding
    FROM nightshift.source_calls c LEFT JOIN (${everyLookup}) l ON l.id = c.lookup_id WHERE l.id IS NULL`,
};

const lookupsHaveTheirOwner: Clause = {
  checked: countOf(sql`nightshift.all_lookups`),
  broken: sql`SELECT format('lookup %s belongs to %s', l.id, CASE
        WHEN num_nonnulls(l.batch_id, l.request_id) = 0 THEN 'neither a batch nor a request'
        WHEN num_nonnulls(l.batch_id, l.request_id) = 2 THEN 'a batch and a request'
        ELSE format('batch %s, which does not exist', l.batch_id) END) AS finding
    FROM nightshift.all_lookups l LEFT JOIN nightshift.batches b ON b.id = l.batch_id
    WHERE num_nonnulls(l.batch_id, l.request_id) <> 1 OR (l.batch_id IS NOT NULL AND b.id IS NULL)`,
};

/**
 * Rows point at the newest generation of their subject; older ones remain and belong to the same rows. A purge deletes rows
 * first.
 */
const lookupsHaveTheirRows: Clause = {
  checked: null,
  broken: sql`SELECT format('lookup %s of batch %s is for no row', lookup_id, batch_id) AS finding
    FROM (
      SELECT batch_id, min(lookup_id) AS lookup_id, sum(rows) AS rows
      FROM (
        SELECT id AS lookup_id, max(batch_id) AS batch_id, max(operation) AS operation, max(subject_key) AS subject_key,
          sum(rows) AS rows
        FROM (
          SELECT id, batch_id, operation, subject_key, 0 AS rows FROM nightshift.all_lookups
            WHERE batch_id IN (SELECT b.id FROM nightshift.batches b WHERE b.purged_at IS NULL)
          UNION ALL
          SELECT lookup_id, NULL, NULL, NULL, 1 FROM (${rowLookups}) r
        ) s GROUP BY id HAVING max(batch_id) IS NOT NULL
      ) l GROUP BY batch_id, operation, subject_key
    ) t WHERE rows = 0`,
};

/** A retry replaces a failed lookup once, and the rows point at its successor. */
const retriesAreCounted: Clause = {
  checked: null,
  broken: sql`WITH replaced AS (
      SELECT l.id, l.batch_id, l.outcome FROM nightshift.all_lookups l
      JOIN nightshift.all_lookups n ON n.batch_id = l.batch_id AND n.operation = l.operation
        AND n.subject_key = l.subject_key AND n.generation = l.generation + 1
      WHERE n.generation > 1
    )
    SELECT format('lookup %s ended as %s, and was replaced as if it had failed', id, coalesce(outcome, 'open')) AS finding
    FROM replaced WHERE outcome IS DISTINCT FROM 'failed'
    UNION ALL
    SELECT format('row %s of batch %s points at lookup %s, which a retry replaced', r.row_no, r.batch_id, r.lookup_id)
    FROM replaced p JOIN (${rowLookups}) r ON r.batch_id = p.batch_id AND r.lookup_id = p.id
    UNION ALL
    SELECT format('batch %s says %s lookups were retried; %s were', b.public_id, b.retried, count(p.id))
    FROM nightshift.batches b LEFT JOIN replaced p ON p.batch_id = b.id
    WHERE b.purged_at IS NULL GROUP BY b.id HAVING b.retried <> count(p.id)`,
};
