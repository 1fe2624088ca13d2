import { sql, type SQL } from 'drizzle-orm';
import type { Sql } from '../../connection/client.ts';
import { adTextsSql } from '../sql/result-conditions.ts';

/**
 * Summarizes the answers of some lookups that have no summary yet (`answer_summaries`).
 *
 * @param given relation and condition with the references `g`, as after FROM.
 */
export async function summarizeAnswers(db: Sql, given: SQL): Promise<void> {
  await db.execute(
    sql`INSERT INTO nightshift.answer_summaries (answer_id, ads, texts, formats, format_ads, advertisers, advertiser_names, advertiser_ads)
      ${summariesSql(sql`SELECT DISTINCT g.answer_id, g.ads FROM ${given}
        AND NOT EXISTS (SELECT FROM nightshift.answer_summaries s WHERE s.answer_id = g.answer_id AND s.ads = g.ads)`)}
      ON CONFLICT DO NOTHING`,
  );
}

/** Selects summaries, with the columns of `answer_summaries`, of the answers and numbers of ads that a query selects. */
export function summariesSql(query: SQL): SQL {
  return sql`WITH asked AS MATERIALIZED (${query}), looks AS MATERIALIZED (
      SELECT k.answer_id, k.ads, v.format, i.advertiser_id, ${adTextsSql}, count(*)::integer AS seen
      FROM asked k
      JOIN nightshift.answers a ON a.id = k.answer_id
      CROSS JOIN LATERAL unnest(a.versions[:k.ads]) AS u(version_id)
      JOIN nightshift.ad_versions v ON v.id = u.version_id
      JOIN nightshift.ads i ON i.id = v.ad_id
      GROUP BY k.answer_id, k.ads, v.format, i.advertiser_id, ${adTextsSql}
    ), texts AS (
      SELECT answer_id, ads, string_agg(text, E'\\n') AS texts FROM (
        SELECT DISTINCT v.answer_id, v.ads, lower(u.text) AS text FROM looks v, unnest(ARRAY[${adTextsSql}]) AS u(text) WHERE u.text IS NOT NULL
      ) t GROUP BY answer_id, ads
    ), formats AS (
      SELECT answer_id, ads, array_agg(format) AS formats, array_agg(seen) AS format_ads FROM (
        SELECT answer_id, ads, format, sum(seen)::integer AS seen FROM looks GROUP BY 1, 2, 3
      ) f GROUP BY answer_id, ads
    ), advertisers AS (
      SELECT answer_id, ads, array_agg(advertiser_id) AS advertisers, array_agg(name) AS advertiser_names, array_agg(seen) AS advertiser_ads
      FROM (
        SELECT answer_id, ads, advertiser_id, max(advertiser_name) AS name, sum(seen)::integer AS seen FROM looks
        WHERE advertiser_id IS NOT NULL GROUP BY 1, 2, 3
      ) w GROUP BY answer_id, ads
    )
    SELECT k.answer_id, k.ads, coalesce(t.texts, ''), f.formats, f.format_ads, coalesce(w.advertisers, '{}'),
      coalesce(w.advertiser_names, '{}'), coalesce(w.advertiser_ads, '{}')
    FROM asked k
    JOIN formats f USING (answer_id, ads)
    LEFT JOIN texts t USING (answer_id, ads)
    LEFT JOIN advertisers w USING (answer_id, ads)`;
}
