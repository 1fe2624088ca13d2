import { sql } from 'drizzle-orm';
import type { Sql } from '../../connection/client.ts';

/**
 * Makes the answers of the advertisers in `located_ads`: their ads, newest first. They are packed here and not by `nightshift.store_answers`,
 * because all ads of an answer have the same, known advertiser, and one sort serves the order and the newest day.
 */
export async function makeAnswers(db: Sql): Promise<void> {
  await packAnswers(db);
  await db.execute(
    sql`INSERT INTO nightshift.answers (content_hash, ads, versions, starts, last_days)
      SELECT p.content_hash, cardinality(p.versions), p.versions, p.starts, p.last_days FROM pg_temp.packed_answers p
      ORDER BY p.content_hash
      ON CONFLICT DO NOTHING`,
  );
  await db.execute(
    sql`INSERT INTO nightshift.answer_advertisers (answer_id, subject)
      SELECT a.id, p.advertiser_id FROM pg_temp.packed_answers p
      JOIN nightshift.answers a ON a.content_hash = p.content_hash
      ORDER BY a.id
      ON CONFLICT DO NOTHING`,
  );
  await db.execute(
    sql`UPDATE nightshift.advertisers d SET answer_id = a.id, newest_day = p.newest_day
      FROM pg_temp.packed_answers p JOIN nightshift.answers a ON a.content_hash = p.content_hash
      WHERE d.id = p.advertiser_key AND (d.answer_id, d.newest_day) IS DISTINCT FROM (a.id, p.newest_day)`,
  );
}

async function packAnswers(db: Sql): Promise<void> {
  await db.execute(
    sql`CREATE TEMPORARY TABLE packed_answers ON COMMIT DROP AS
      SELECT p.*, nightshift.answer_hash(p.versions, p.starts, p.last_days) AS content_hash
      FROM (
        SELECT o.advertiser_key, d.advertiser_id, o.newest_day, o.versions, o.starts, o.last_days
        FROM (
          SELECT s.advertiser_key, s.newest_day, array_agg(s.version_id) AS versions, array_agg(s.start) AS starts,
            array_agg(CASE WHEN s.last_seen = s.newest_day THEN 'infinity' ELSE s.last_seen END) AS last_days
          FROM (
            SELECT a.advertiser_key, a.version_id, a.start, a.last_seen,
              first_value(a.last_seen) OVER (PARTITION BY a.advertiser_key ORDER BY a.last_seen DESC NULLS LAST, a.ad_id) AS newest_day
            FROM nightshift.snapshot_ads a
            WHERE a.advertiser_key IN (SELECT l.advertiser_key FROM pg_temp.located_ads l)
            ORDER BY a.advertiser_key, a.last_seen DESC NULLS LAST, a.ad_id
          ) s
          GROUP BY s.advertiser_key, s.newest_day
        ) o
        JOIN nightshift.advertisers d ON d.id = o.advertiser_key
      ) p`,
  );
  await db.execute(sql`ANALYZE pg_temp.packed_answers (content_hash, advertiser_key)`);
}
