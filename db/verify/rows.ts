import { sql } from 'drizzle-orm';
import { countOf, type Clause } from './clause.ts';
import type { Scope } from './scope/scope.ts';
import { rowLookups } from './row-lookups.ts';

/** Limits of the check. */
export const rowsNote =
  'The file itself is not stored: the SHA-256 of its content in reports.batches, and the manifest of an export, link to it. ' +
  'Batches that still load, and those that were purged, are left out.';

/** Invariant 1, as far as the stored data can show. */
export function rowClauses(scope: Scope): readonly Clause[] {
  return [
    blocksAreWhole(scope),
    countsAgree(scope),
    linesGrow(scope),
    rowsHaveTheirLookup(scope),
    cellsAreKept(scope),
  ];
}

/** A block has as many rows as it says, and as many elements in every array. */
const blocksAreWhole = ({ batches, rowBlocks }: Scope): Clause => ({
  part: 'lookups',
  checked: null,
  broken: sql`SELECT format('block %s of batch %s says %s rows; its cells have %s, and its columns do not agree', b.block_no,
        coalesce(p.public_id, b.batch_id::text), b.rows, b.stored) AS finding
    FROM (
      SELECT *, cardinality(coalesce(array_cells, string_to_array(cells, E'\\x1e'))) AS stored FROM ${rowBlocks} s
    ) b
    LEFT JOIN ${batches} p ON p.id = b.batch_id
    WHERE b.rows NOT BETWEEN 1 AND 32 OR b.block_no < 0 OR b.stored IS DISTINCT FROM b.rows
      OR num_nonnulls(b.cells, b.array_cells) <> 1 OR cardinality(b.lines) NOT IN (1, b.rows)
      OR cardinality(b.ads_lookups) NOT IN (1, b.rows) OR cardinality(b.email_lookups) NOT IN (1, b.rows)
      OR cardinality(b.reject_reasons) <> b.rows OR cardinality(b.warnings) <> b.rows
      OR b.ads_repeats::bit(32)::bigint >> b.rows <> 0 OR b.email_repeats::bit(32)::bigint >> b.rows <> 0`,
});

/** One line per loaded batch: its counts compared with its rows. Row numbers are unique, so 1 to n is dense. */
const countsAgree = ({ batches, rows }: Scope): Clause => ({
  part: 'lookups',
  checked: countOf(sql`${batches} b JOIN ${rows} r ON r.batch_id = b.id WHERE b.loaded_at IS NOT NULL`),
  broken: sql`SELECT format('batch %s says %s rows, %s of them rejected; stored are %s, numbered %s to %s, %s rejected',
        b.public_id, b.rows_total, b.rows_rejected, c.stored, coalesce(c.first_no, 0), coalesce(c.last_no, 0), c.rejected)
      AS finding
    FROM (
      SELECT batch_id, sum(stored) AS stored, sum(rejected) AS rejected, min(first_no) AS first_no, max(last_no) AS last_no
      FROM (
        SELECT id AS batch_id, 0 AS stored, 0 AS rejected, NULL::integer AS first_no, NULL::integer AS last_no
        FROM ${batches} s
        UNION ALL
        SELECT batch_id, count(*), count(*) FILTER (WHERE reject_reason IS NOT NULL), min(row_no), max(row_no)
        FROM ${rows} s GROUP BY batch_id
      ) s GROUP BY batch_id
    ) c
    JOIN ${batches} b ON b.id = c.batch_id
    WHERE b.loaded_at IS NOT NULL AND b.purged_at IS NULL AND (c.stored <> b.rows_total OR c.rejected <> b.rows_rejected
      OR coalesce(c.first_no, 1) <> 1 OR coalesce(c.last_no, 0) <> c.stored)
    UNION ALL
    SELECT format('batch %s is gone, and %s of its rows are stored', r.batch_id, count(*))
    FROM ${rows} r LEFT JOIN ${batches} b ON b.id = r.batch_id
    WHERE b.id IS NULL GROUP BY r.batch_id`,
});

const linesGrow = ({ batches, rows }: Scope): Clause => ({
  part: 'lookups',
  checked: null,
  broken: sql`SELECT format('row %s of batch %s comes from line %s, the row before from line %s', r.row_no, b.public_id, r.line_no,
        r.line_before) AS finding
    FROM (
      SELECT batch_id, row_no, line_no, lag(line_no) OVER (PARTITION BY batch_id ORDER BY block_no, row_no) AS line_before
      FROM ${rows} s
    ) r
    JOIN ${batches} b ON b.id = r.batch_id
    WHERE r.line_no <= r.line_before OR r.line_no < 1`,
});

/** A row is either rejected or has a lookup of its own batch. */
const rowsHaveTheirLookup = ({ batches, lookups, rowBlocks, rows }: Scope): Clause => ({
  part: 'lookups',
  checked: null,
  broken: sql`SELECT format('row %s of batch %s %s', r.row_no, b.public_id, CASE
        WHEN r.reject_reason IS NULL THEN 'has neither a lookup nor a reason why not'
        ELSE format('is rejected, and has lookup %s', coalesce(r.ads_lookup_id, r.email_lookup_id)) END) AS finding
    FROM ${rows} r JOIN ${batches} b ON b.id = r.batch_id
    WHERE (num_nonnulls(r.ads_lookup_id, r.email_lookup_id) = 0) <> (r.reject_reason IS NOT NULL)
    UNION ALL
    SELECT format('row %s of batch %s points at lookup %s%s', r.row_no, b.public_id, r.lookup_id, CASE
        WHEN l.id IS NULL THEN ', which does not exist'
        WHEN l.batch_id IS DISTINCT FROM r.batch_id THEN ' of another batch'
        ELSE format(' for %s, which is for %s', r.operation, l.operation) END)
    FROM (${rowLookups(rowBlocks)}) r
    JOIN ${batches} b ON b.id = r.batch_id
    LEFT JOIN ${lookups} l ON l.id = r.lookup_id
    WHERE l.batch_id IS DISTINCT FROM r.batch_id OR l.operation <> r.operation`,
});

/** The user's own columns: none is lost, and there are as many beyond the header as the export has columns for. */
const cellsAreKept = ({ batches, rows }: Scope): Clause => ({
  part: 'lookups',
  checked: null,
  broken: sql`SELECT format('row %s of batch %s has lost a cell', r.row_no, b.public_id) AS finding
    FROM ${rows} r JOIN ${batches} b ON b.id = r.batch_id
    WHERE array_position(r.cells, NULL) IS NOT NULL
    UNION ALL
    SELECT format('batch %s has rows with %s cells beyond its header, and says %s', b.public_id, c.extra, b.extra_cells)
    FROM (
      SELECT r.batch_id, greatest(max(cardinality(r.cells)) - max(cardinality(b.header)), 0) AS extra
      FROM ${rows} r JOIN ${batches} b ON b.id = r.batch_id GROUP BY r.batch_id
    ) c
    JOIN ${batches} b ON b.id = c.batch_id
    WHERE b.loaded_at IS NOT NULL AND b.purged_at IS NULL AND c.extra <> b.extra_cells
    UNION ALL
    SELECT format('batch %s has lost the name of a column', public_id) FROM ${batches} s
    WHERE array_position(header, NULL) IS NOT NULL`,
});
