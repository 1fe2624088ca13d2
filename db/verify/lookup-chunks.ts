import { sql, type SQL } from 'drizzle-orm';
import type { Scope } from './scope/scope.ts';

/** The chunks and lookups to assign. */
type ChunkScope = Pick<Scope, 'unevenChunks' | 'unevenLookups' | 'purgedChunks' | 'verdicts'>;

/**
 * Common table expressions that assign lookups to chunks: `lookup_chunk(lookup_id, batch_id, operation, outcome, email_status,
 * charged_micro, ended_us, chunk_id)`, for the lookups that meet `condition` (over `all_lookups l`), and `span`, the chunks. The
 * scope has complete batches. Purged chunks (`is_purged`) have no lookups.
 *
 * A chunk has the lookups of its operation and batch in its range, except those that moved to smaller chunks: a chunk within
 * the range of an earlier one (`is_within`). Such a chunk has one lookup, or is one of sixteen parts with the lookups that were
 * open when it was created. `chunk_id` is null for a lookup without a chunk. One pass over both in the order of ids: a range
 * join of a million lookups would depend on the planner's estimates.
 */
export function lookupChunks(
  condition: SQL,
  { unevenChunks: chunks, unevenLookups: lookups, purgedChunks, verdicts }: ChunkScope,
): SQL {
  return sql`span AS (
      SELECT c.*, coalesce(max(c.last_lookup_id) OVER (PARTITION BY c.batch_id, c.operation ORDER BY c.first_lookup_id, c.id
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) >= c.first_lookup_id, false) AS is_within,
        c.id IN (SELECT p.chunk_id FROM ${purgedChunks} p) AS is_purged
      FROM ${chunks} c
    ),
    point AS (
      SELECT batch_id, operation, first_lookup_id AS id, 0 AS kind,
        CASE WHEN NOT is_within THEN ARRAY[first_lookup_id, last_lookup_id, id] END AS latest,
        CASE WHEN is_within AND lookups > 1 THEN ARRAY[first_lookup_id, last_lookup_id, id, ${microseconds(sql`split_at`)}] END AS part,
        CASE WHEN is_within AND lookups = 1 THEN id END AS alone_in, NULL::bigint AS ended_us,
        NULL::text AS outcome, NULL::text AS email_status, NULL::bigint AS charged_micro
      FROM span
      UNION ALL
      SELECT l.batch_id, l.operation, l.id, 2, NULL, NULL, NULL, ${microseconds(sql`l.ended_at`)}, l.outcome, e.status, l.charged_micro
      FROM ${lookups} l LEFT JOIN ${verdicts} e ON e.lookup_id = l.id WHERE ${condition}
    ),
    lookup_chunk AS (
      SELECT id AS lookup_id, batch_id, operation, outcome, email_status, charged_micro, ended_us,
        coalesce(alone_in, CASE WHEN id <= part[2] AND (outcome IS NULL OR ended_us > part[4]) THEN part[3] END,
          CASE WHEN id <= latest[2] THEN latest[3] END) AS chunk_id
      FROM (
        SELECT batch_id, operation, id, kind, outcome, email_status, charged_micro, ended_us,
          max(latest) OVER (PARTITION BY batch_id, operation ORDER BY id, kind) AS latest,
          max(part) OVER (PARTITION BY batch_id, operation ORDER BY id, kind) AS part,
          max(alone_in) OVER (PARTITION BY batch_id, operation, id) AS alone_in
        FROM point
      ) p WHERE kind = 2
    )`;
}

/** A moment as a number with full precision. */
export function microseconds(moment: SQL): SQL {
  return sql`(extract(epoch FROM ${moment}) * 1000000)::bigint`;
}
