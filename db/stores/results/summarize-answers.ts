import { sql, type SQL } from 'drizzle-orm';
import type { Sql } from '../../connection/client.ts';
import { bigints, ints } from '../sql/arrays.ts';
import { adTextsSql } from '../sql/result-conditions.ts';

/** Maximum number of answers per statement. */
const answersPerStatement = 2000;

/**
 * Summarizes the answers that some lookups refer to, unless they have a summary (`answer_summaries`).
 *
 * @param given query for the columns `answer_id` and `ads` of references.
 */
export async function summarizeAnswers(db: Sql, given: SQL): Promise<void> {
  const { rows } = await db.execute<{ answer_id: string; ads: number }>(
    sql`SELECT DISTINCT g.answer_id, g.ads FROM (${given}) g
      WHERE NOT EXISTS (SELECT FROM nightshift.answer_summaries s WHERE s.answer_id = g.answer_id AND s.ads = g.ads)`,
  );
  for (let first = 0; first < rows.length; first += answersPerStatement) {
    const some = rows.slice(first, first + answersPerStatement);
    await insertSummaries(
      db,
      some.map((row) => ({ answerId: BigInt(row.answer_id), ads: row.ads })),
    );
  }
}

/** Tables are read by key (`OFFSET 0`): a plan that reads whole tables for some answers would cost too much. */
async function insertSummaries(
  db: Sql,
  answers: readonly { readonly answerId: bigint; readonly ads: number }[],
): Promise<void> {
  await db.execute(
    sql`INSERT INTO nightshift.answer_summaries (answer_id, ads, texts, formats, format_ads, advertisers, advertiser_names, advertiser_ads)
      WITH looks AS MATERIALIZED (
        SELECT k.answer_id, k.ads, v.format, i.advertiser_id, ${adTextsSql}, count(*)::integer AS seen
        FROM unnest(${bigints(answers.map(({ answerId }) => answerId))}, ${ints(answers.map(({ ads }) => ads))}) AS k(answer_id, ads)
        CROSS JOIN LATERAL (SELECT a.versions FROM nightshift.answers a WHERE a.id = k.answer_id OFFSET 0) a
        CROSS JOIN LATERAL unnest(a.versions[:k.ads]) AS u(version_id)
        CROSS JOIN LATERAL (SELECT v.* FROM nightshift.ad_versions v WHERE v.id = u.version_id OFFSET 0) v
        CROSS JOIN LATERAL (SELECT i.advertiser_id FROM nightshift.ads i WHERE i.id = v.ad_id OFFSET 0) i
        GROUP BY k.answer_id, k.ads, v.format, i.advertiser_id, ${adTextsSql}
      ), texts AS MATERIALIZED (
        SELECT answer_id, ads, string_agg(text, E'\\n') AS texts FROM (
          SELECT DISTINCT v.answer_id, v.ads, lower(u.text) AS text FROM looks v, unnest(ARRAY[${adTextsSql}]) AS u(text) WHERE u.text IS NOT NULL
        ) t GROUP BY answer_id, ads
      ), formats AS MATERIALIZED (
        SELECT answer_id, ads, array_agg(format) AS formats, array_agg(seen) AS format_ads FROM (
          SELECT answer_id, ads, format, sum(seen)::integer AS seen FROM looks GROUP BY 1, 2, 3
        ) f GROUP BY answer_id, ads
      ), advertisers AS MATERIALIZED (
        SELECT answer_id, ads, array_agg(advertiser_id) AS advertisers, array_agg(name) AS advertiser_names, array_agg(seen) AS advertiser_ads
        FROM (
          SELECT answer_id, ads, advertiser_id, max(advertiser_name) AS name, sum(seen)::integer AS seen FROM looks
          WHERE advertiser_id IS NOT NULL GROUP BY 1, 2, 3
        ) w GROUP BY answer_id, ads
      )
      SELECT f.answer_id, f.ads, coalesce(t.texts, ''), f.formats, f.format_ads, coalesce(w.advertisers, '{}'),
        coalesce(w.advertiser_names, '{}'), coalesce(w.advertiser_ads, '{}')
      FROM formats f
      LEFT JOIN texts t USING (answer_id, ads)
      LEFT JOIN advertisers w USING (answer_id, ads)
      ON CONFLICT DO NOTHING`,
  );
}
