import { sql } from 'drizzle-orm';
import type { Sql } from '../../connection/client.ts';
import { bigints } from '../../stores/sql/arrays.ts';

/** A batch in the view of `nightshift verify`. */
export interface ListedBatch {
  readonly id: number;
  /** Null while something may still change it without a trace in `marker`: it is open, or its purge is not over. */
  readonly marker: string | null;
  readonly rows: number;
  readonly lookups: number;
}

/**
 * Lists all batches, also ids of which only rows, chunks or lookups are stored; with `ids`, only those.
 *
 * A marker is a digest of the batch and its chunks. A retry, the start of a purge and an erasure change it (`finished_at`, `purged_at`,
 * `erased_at`), as does any other change of these two tables. Needs the settings of `settleSession`, on which texts of rows depend.
 */
export async function listBatches(
  db: Sql,
  ids: readonly number[] | null = null,
): Promise<readonly ListedBatch[]> {
  const isAll = ids === null;
  const wanted = bigints(ids ?? []);
  const { rows } = await db.execute<{ id: string; marker: string | null; rows: number; lookups: number }>(
    sql`WITH RECURSIVE of_lookups(id) AS (
        SELECT min(batch_id) FROM nightshift.lookups
        UNION ALL
        SELECT (SELECT min(l.batch_id) FROM nightshift.lookups l WHERE l.batch_id > o.id) FROM of_lookups o WHERE o.id IS NOT NULL
      ), of_rows(id) AS (
        SELECT min(batch_id) FROM nightshift.row_blocks
        UNION ALL
        SELECT (SELECT min(r.batch_id) FROM nightshift.row_blocks r WHERE r.batch_id > o.id) FROM of_rows o WHERE o.id IS NOT NULL
      ), chunk AS (
        SELECT batch_id, sum(hashtextextended(c::text, 0)) AS digest, bool_and(state = 'done') AS is_done
        FROM nightshift.chunks c WHERE batch_id IS NOT NULL AND (${isAll} OR batch_id = ANY (${wanted})) GROUP BY batch_id
      ), batch AS (
        SELECT b.*, b::text AS batch_text, b.finished_at IS NOT NULL AND b.state IN ('finished', 'cancelled')
          AND b.id NOT IN (SELECT batch_id FROM nightshift.lookup_blocks)
          AND (b.purged_at IS NULL OR b.id NOT IN (SELECT id FROM of_rows WHERE id IS NOT NULL)
            AND b.id NOT IN (SELECT o.batch_id FROM nightshift.chunks o WHERE o.batch_id IS NOT NULL
              AND o.id NOT IN (SELECT p.chunk_id FROM nightshift.purged_chunks p))) AS is_closed
        FROM nightshift.batches b
      )
      SELECT i.id, CASE WHEN b.is_closed AND coalesce(c.is_done, true)
          THEN encode(sha256(convert_to(concat_ws('|', b.batch_text, c.digest), 'UTF8')), 'hex') END AS marker,
        coalesce(CASE WHEN b.purged_at IS NULL THEN b.rows_total END, 0) AS rows, coalesce(b.lookups_total + b.retried, 0) AS lookups
      FROM (
        SELECT id FROM nightshift.batches UNION SELECT id FROM of_lookups UNION SELECT id FROM of_rows
        UNION SELECT batch_id FROM chunk UNION SELECT batch_id FROM nightshift.lookup_blocks
      ) i
      LEFT JOIN batch b ON b.id = i.id
      LEFT JOIN chunk c ON c.batch_id = i.id
      WHERE i.id IS NOT NULL AND (${isAll} OR i.id = ANY (${wanted})) ORDER BY i.id`,
  );
  return rows.map(({ id, ...batch }) => ({ ...batch, id: Number(id) }));
}
