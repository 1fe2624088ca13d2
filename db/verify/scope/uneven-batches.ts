import { sql } from 'drizzle-orm';
import type { Sql } from '../../connection/client.ts';
import { countsSql } from '../../stores/sql/chunk-counts.ts';
import { bigints } from '../../stores/sql/arrays.ts';
import type { Scope } from './scope.ts';

type CountedScope = Pick<Scope, 'batches' | 'lookups' | 'chunks'>;

/**
 * Lists the batches whose chunks do not simply have all lookups between their first and last one, or do not count them right, or whose charges
 * are not those of the lookups, each at the price of the chunk: the others need no look at each lookup.
 *
 * Reads the lookups of a chunk by their ids, whatever the statistics say: no condition on the batch can use an index.
 */
export async function listUnevenBatches(
  db: Sql,
  { batches, lookups, chunks }: CountedScope,
  batchIds: readonly number[],
): Promise<readonly number[]> {
  const { rows } = await db.execute<{ id: string }>(
    sql`WITH span AS (
        SELECT c.*, coalesce(max(c.last_lookup_id) OVER (PARTITION BY c.batch_id, c.operation ORDER BY c.first_lookup_id, c.id
          ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) >= c.first_lookup_id, false) AS is_within
        FROM ${chunks} c WHERE c.batch_id IS NOT NULL
      ), chunk AS (
        SELECT s.batch_id, k.lookups, s.is_within OR s.moved_on <> 0 OR s.lookups <> k.lookups OR (s.state = 'done') <> (k.open = 0)
          OR (s.found, s.none, s.no_match, s.valid, s.invalid, s.catch_all, s.unknown, s.failed, s.cancelled)
            <> (k.found, k.none, k.no_match, k.valid, k.invalid, k.catch_all, k.unknown, k.failed, k.cancelled)
          OR s.first_ended_at IS DISTINCT FROM k.first_at OR s.last_ended_at IS DISTINCT FROM k.last_at
          OR s.charged_micro <> k.charged OR s.charged_micro <> k.results * s.price_micro
          OR (s.operation = 'ads_search' AND s.last_lookup_id > b.dispatched_to)
          OR (s.operation = 'email_validation' AND s.last_lookup_id > b.emails_dispatched_to)
          OR s.charged_micro <> k.charged_in_all OR k.charged_ids IS DISTINCT FROM m.charged_ids OR m.is_other
          OR b.id IS NULL AS is_uneven
        FROM span s
        LEFT JOIN ${batches} b ON b.id = s.batch_id
        CROSS JOIN LATERAL (
          SELECT count(*) AS lookups, count(*) FILTER (WHERE "end" IS NULL) AS open, ${countsSql},
            min(ended_at) AS first_at, max(ended_at) AS last_at,
            coalesce(sum(charged_micro) FILTER (WHERE is_result), 0) AS charged,
            count(*) FILTER (WHERE is_result AND status IS DISTINCT FROM 'unknown') AS results,
            coalesce(sum(charged_micro), 0) AS charged_in_all, array_agg(id ORDER BY id) FILTER (WHERE charged_micro > 0) AS charged_ids
          FROM (
            SELECT l.id, coalesce(e.status, l.outcome) AS "end", e.status, l.ended_at, l.charged_micro,
              l.outcome IN ('found', 'completed') AND l.repeats IS NULL AS is_result
            FROM nightshift.lookups l
            LEFT JOIN (
              SELECT v.lookup_id, v.status FROM nightshift.email_results v
              WHERE s.operation = 'email_validation' AND v.lookup_id BETWEEN s.first_lookup_id AND s.last_lookup_id OFFSET 0
            ) e ON e.lookup_id = l.id
            WHERE l.id BETWEEN s.first_lookup_id AND s.last_lookup_id AND l.batch_id IS NOT DISTINCT FROM s.batch_id
              AND l.operation IS NOT DISTINCT FROM s.operation
          ) l OFFSET 0
        ) k
        CROSS JOIN LATERAL (
          SELECT array_agg(c.lookup_id ORDER BY c.lookup_id) AS charged_ids,
            coalesce(bool_or(c.charged <> s.price_micro OR c.held <> s.price_micro), false) AS is_other
          FROM (
            SELECT l.first_lookup + coalesce(n.step, n.nth) AS lookup_id, -(l.balance_delta_micro + l.held_delta_micro) AS charged,
              -l.held_delta_micro AS held
            FROM nightshift.ledger_blocks_of(s.account_id, s.first_lookup_id, s.last_lookup_id) l
            CROSS JOIN LATERAL ROWS FROM (generate_series(0, (l.to_seq - l.from_seq)::integer), unnest(l.steps)) AS n(nth, step)
            WHERE l.phase = 1 AND l.balance_delta_micro <> -l.held_delta_micro
          ) c WHERE c.lookup_id BETWEEN s.first_lookup_id AND s.last_lookup_id OFFSET 0
        ) m
      ), batch AS (
        SELECT batch_id, sum(lookups) AS lookups, bool_or(is_uneven) AS is_uneven FROM chunk GROUP BY batch_id
      ), stored AS (
        SELECT batch_id, count(*) AS lookups FROM ${lookups} l WHERE batch_id IS NOT NULL GROUP BY batch_id
      )
      SELECT i.id FROM unnest(${bigints(batchIds)}) AS i(id)
      LEFT JOIN batch c ON c.batch_id = i.id
      LEFT JOIN stored l ON l.batch_id = i.id
      WHERE coalesce(c.is_uneven, false) OR coalesce(c.lookups, 0) <> coalesce(l.lookups, 0)`,
  );
  return rows.map(({ id }) => Number(id));
}
