import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { advisoryLocks } from '../../locks/advisory-locks.ts';
import { reasonCharsMax, rowSeparator, rowTextSql } from '../sql/result-conditions.ts';
import { summarizeAnswers } from './summarize-answers.ts';

/**
 * Builds missing blocks of rows whose lookups have all ended, so that their results do not change any more.
 *
 * Holds the lock, so that a row that changes meanwhile waits and then deletes the new block. Lookups and ads are read by key: a
 * plan that reads whole tables for a few thousand rows would cost as much as the whole batch.
 */
export async function makeBlocks(
  db: NodePgDatabase,
  batchId: number,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<void> {
  const inRange = sql`r.block_no BETWEEN ${first} AND ${last}`;
  await summarizeAnswers(
    db,
    sql`SELECT g.answer_id, g.ads FROM nightshift.batch_rows r
      JOIN nightshift.lookup_answers g ON g.lookup_id = r.ads_lookup_id WHERE r.batch_id = ${batchId} AND ${inRange}`,
  );
  await db.transaction(async (transaction) => {
    await transaction.execute(
      sql`SELECT pg_advisory_xact_lock_shared(${advisoryLocks.resultBlocks}), set_config('enable_hashjoin', 'off', true),
        set_config('enable_mergejoin', 'off', true), set_config('enable_seqscan', 'off', true)`,
    );
    await transaction.execute(
      sql`INSERT INTO nightshift.search_blocks (batch_id, block_no, row_text, answers, marks, advertisers, last_seen)
        WITH rows AS MATERIALIZED (
          SELECT r.block_no, r.ads_lookup_id, ${rowTextSql} AS text,
            CASE WHEN r.reject_reason IS NOT NULL THEN 'rejected' ELSE l.outcome END AS outcome,
            ARRAY[r.reject_reason, l.reason, m.reason] AS reasons, e.status, e.recommendation,
            (r.ads_lookup_id IS NULL OR l.outcome IS NOT NULL) AND (r.email_lookup_id IS NULL OR m.outcome IS NOT NULL) AS is_over
          FROM nightshift.batch_rows r
          LEFT JOIN nightshift.lookups l ON l.id = r.ads_lookup_id
          LEFT JOIN nightshift.lookups m ON m.id = r.email_lookup_id
          LEFT JOIN nightshift.email_results e ON e.lookup_id = m.id
          WHERE r.batch_id = ${batchId} AND ${inRange}
        ), own AS (
          SELECT block_no, string_agg(replace(text, ${rowSeparator}, ' '), ${rowSeparator}) AS text FROM rows GROUP BY block_no HAVING bool_and(is_over)
        ), given AS MATERIALIZED (
          SELECT r.block_no, g.answer_id, g.ads, max(g.newest_day) AS newest_day
          FROM rows r JOIN nightshift.lookup_answers g ON g.lookup_id = r.ads_lookup_id GROUP BY 1, 2, 3
        ), summed AS MATERIALIZED (
          SELECT g.block_no, s.formats, s.advertisers FROM given g JOIN nightshift.answer_summaries s USING (answer_id, ads)
        ), marks AS (
          SELECT block_no, array_agg(DISTINCT mark) AS marks FROM (
            SELECT block_no, 'outcome:' || outcome AS mark FROM rows
            UNION ALL SELECT block_no, 'reason:' || left(u.reason, ${reasonCharsMax}) FROM rows, unnest(reasons) AS u(reason)
            UNION ALL SELECT block_no, 'email:' || status FROM rows
            UNION ALL SELECT block_no, 'recommendation:' || recommendation FROM rows
            UNION ALL SELECT block_no, 'format:' || lower(u.format) FROM summed, unnest(formats) AS u(format)
          ) a WHERE mark IS NOT NULL GROUP BY block_no
        )
        SELECT ${batchId}, o.block_no, o.text, coalesce(g.answers, '{}'), coalesce(a.marks, '{}'), coalesce(w.advertisers, '{}'),
          g.last_seen
        FROM own o
        LEFT JOIN marks a USING (block_no)
        LEFT JOIN (
          SELECT block_no, array_agg(DISTINCT answer_id) AS answers, max(newest_day) AS last_seen FROM given GROUP BY 1
        ) g USING (block_no)
        LEFT JOIN (
          SELECT s.block_no, array_agg(DISTINCT u.advertiser) AS advertisers FROM summed s, unnest(s.advertisers) AS u(advertiser) GROUP BY 1
        ) w USING (block_no)
        ON CONFLICT DO NOTHING`,
    );
  });
}
