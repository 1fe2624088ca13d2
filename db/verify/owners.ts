import { sql } from 'drizzle-orm';
import { countOf, type Clause } from './clause.ts';
import type { Scope } from './scope/scope.ts';
import { rowLookups } from './row-lookups.ts';

/** Invariant 5. */
export function ownerClauses(scope: Scope): readonly Clause[] {
  return [
    entriesHaveTheirLookup(scope),
    callsHaveTheirLookup(scope),
    lookupsHaveTheirOwner(scope),
    lookupsHaveTheirRows(scope),
    retriesAreCounted(scope),
  ];
}

const entriesHaveTheirLookup = ({ entries, entryBlocks, entryLookups }: Scope): Clause => ({
  part: 'entries',
  checked: sql`SELECT coalesce(sum(to_seq - from_seq + 1), 0) AS n FROM ${entryBlocks} s`,
  broken: sql`SELECT format('account %s, entry %s (%s) is for lookup %s, which does not exist', e.account_id, e.seq, e.kind,
        e.lookup_id) AS finding
    FROM ${entries} e LEFT JOIN ${entryLookups} l ON l.id = e.lookup_id
    WHERE l.id IS NULL`,
});

/** A call belongs to a lookup, and is recorded before it is sent. */
const callsHaveTheirLookup = ({ calls, callLookups }: Scope): Clause => ({
  part: 'calls',
  checked: countOf(sql`${calls} s`),
  broken: sql`SELECT format('call %s to %s was made for lookup %s, which does not exist', c.id, c.source, c.lookup_id) AS finding
    FROM ${calls} c LEFT JOIN ${callLookups} l ON l.id = c.lookup_id WHERE l.id IS NULL`,
});

const lookupsHaveTheirOwner = ({ batches, lookups, lookupsCount }: Scope): Clause => ({
  part: 'lookups',
  checked: lookupsCount,
  broken: sql`SELECT format('lookup %s belongs to %s', l.id, CASE
        WHEN num_nonnulls(l.batch_id, l.request_id) = 0 THEN 'neither a batch nor a request'
        WHEN num_nonnulls(l.batch_id, l.request_id) = 2 THEN 'a batch and a request'
        ELSE format('batch %s, which does not exist', l.batch_id) END) AS finding
    FROM ${lookups} l LEFT JOIN ${batches} b ON b.id = l.batch_id
    WHERE num_nonnulls(l.batch_id, l.request_id) <> 1 OR (l.batch_id IS NOT NULL AND b.id IS NULL)`,
});

/**
 * Rows point at the newest generation of their subject; older ones remain and belong to the same rows. A purge deletes rows
 * first.
 */
const lookupsHaveTheirRows = ({ batches, lookups, rowBlocks }: Scope): Clause => ({
  part: 'lookups',
  checked: null,
  broken: sql`WITH bare AS MATERIALIZED (
      SELECT id, batch_id, operation, subject_key FROM ${lookups} l
      WHERE batch_id IN (SELECT b.id FROM ${batches} b WHERE b.purged_at IS NULL)
        AND NOT EXISTS (SELECT FROM (${rowLookups(rowBlocks)}) r WHERE r.lookup_id = l.id)
    ), generation AS MATERIALIZED (
      SELECT o.id, o.batch_id, o.operation, o.subject_key FROM ${lookups} o
      JOIN (SELECT DISTINCT batch_id, operation, subject_key FROM bare) b USING (batch_id, operation, subject_key)
      WHERE EXISTS (SELECT FROM bare)
    )
    SELECT format('lookup %s of batch %s is for no row', min(id), batch_id) AS finding
    FROM bare b
    WHERE EXISTS (SELECT FROM bare) AND NOT EXISTS (
      SELECT FROM generation o JOIN (${rowLookups(rowBlocks)}) r ON r.lookup_id = o.id
      WHERE o.batch_id = b.batch_id AND o.operation = b.operation AND o.subject_key = b.subject_key)
    GROUP BY batch_id, operation, subject_key`,
});

/** A retry replaces a lookup that failed or that identified no company, once, and the rows point at its successor. */
const retriesAreCounted = ({ batches, lookups, rowBlocks }: Scope): Clause => ({
  part: 'lookups',
  checked: null,
  broken: sql`WITH successor AS MATERIALIZED (
      SELECT batch_id, operation, subject_key, generation FROM ${lookups} s WHERE batch_id IS NOT NULL AND generation > 1
    ), replaced AS MATERIALIZED (
      SELECT l.id, l.batch_id, l.outcome FROM ${lookups} l
      JOIN successor n ON n.batch_id = l.batch_id AND n.operation = l.operation
        AND n.subject_key = l.subject_key AND n.generation = l.generation + 1
      WHERE EXISTS (SELECT FROM successor)
    )
    SELECT format('lookup %s ended as %s, and was replaced as if it had failed', id, coalesce(outcome, 'open')) AS finding
    FROM replaced WHERE outcome IS NULL OR outcome NOT IN ('failed', 'no_match')
    UNION ALL
    SELECT format('row %s of batch %s points at lookup %s, which a retry replaced', r.row_no, r.batch_id, r.lookup_id)
    FROM replaced p JOIN (${rowLookups(rowBlocks)}) r ON r.batch_id = p.batch_id AND r.lookup_id = p.id
    WHERE EXISTS (SELECT FROM replaced)
    UNION ALL
    SELECT format('batch %s says %s lookups were retried; %s were', b.public_id, b.retried, count(p.id))
    FROM ${batches} b LEFT JOIN replaced p ON p.batch_id = b.id
    WHERE b.purged_at IS NULL GROUP BY b.id, b.public_id, b.retried HAVING b.retried <> count(p.id)
    UNION ALL
    SELECT format('batch %s says %s lookups without an identified company were retried; %s were', b.public_id, b.retried_no_match, count(p.id))
    FROM ${batches} b LEFT JOIN replaced p ON p.batch_id = b.id AND p.outcome = 'no_match'
    WHERE b.purged_at IS NULL GROUP BY b.id, b.public_id, b.retried_no_match HAVING b.retried_no_match <> count(p.id)`,
});
