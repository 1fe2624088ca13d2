import { sql } from 'drizzle-orm';
import { hashContent } from '../../../src/core/changes/content-hash.ts';
import type { Sql } from '../../connection/client.ts';
import { bigints, texts } from '../sql/arrays.ts';
import { adColumnsSql, toAd, type AdRow } from '../ads/read-ads.ts';
import type { EvaluationPlace } from './claim-evaluation.ts';

/** Number of lookups per page. */
const lookupsPerPage = 100;
/** Number of versions per page. */
const versionsPerPage = 2000;

interface VersionRow extends AdRow {
  readonly version_id: string;
}

/**
 * Computes and stores the content hashes of the ads of a scan's batch, for versions without one. Those of the answer before have one.
 *
 * Each statement commits by itself, outside the transaction that compares them: otherwise two evaluations with the same new ads
 * could deadlock.
 */
export async function keepObservations(
  db: Sql,
  { scheduleId, batchId }: EvaluationPlace,
  signal: AbortSignal,
): Promise<void> {
  for (let after = 0n; ;) {
    signal.throwIfAborted();
    const { rows } = await db.execute<{ id: string }>(
      sql`SELECT id FROM nightshift.lookups
        WHERE batch_id = ${batchId} AND operation = 'ads_search' AND outcome = 'found' AND id > ${after}
        ORDER BY id LIMIT ${lookupsPerPage}`,
    );
    const ids = rows.map(({ id }) => BigInt(id));
    while ((await keepSome(db, scheduleId, ids)) === versionsPerPage) signal.throwIfAborted();
    if (ids.length < lookupsPerPage) return;
    after = ids.at(-1) ?? after;
  }
}

/** Stores the hashes of the versions of these lookups, and returns their number. */
async function keepSome(db: Sql, scheduleId: number, lookupIds: readonly bigint[]): Promise<number> {
  const { rows } = await db.execute<VersionRow>(
    sql`SELECT v.id AS version_id, ${adColumnsSql}
      FROM (
        SELECT DISTINCT ON (s.version_id) s.*
        FROM nightshift.lookups l
        LEFT JOIN nightshift.tracked_companies t ON t.schedule_id = ${scheduleId} AND t.company_key = l.subject_key
        LEFT JOIN nightshift.answers p ON p.id = t.seen_answer_id
        JOIN nightshift.lookup_ads s ON s.lookup_id = l.id AND (s.version_id = ANY (p.versions[:t.seen_ads])) IS NOT TRUE
        WHERE l.id = ANY (${bigints(lookupIds)})
          AND NOT EXISTS (SELECT FROM nightshift.ad_version_hashes k WHERE k.version_id = s.version_id)
        ORDER BY s.version_id LIMIT ${versionsPerPage}
      ) la
      JOIN nightshift.ad_versions v ON v.id = la.version_id
      JOIN nightshift.ads i ON i.id = v.ad_id
      ORDER BY v.id`,
  );
  if (rows.length > 0) {
    await db.execute(
      sql`INSERT INTO nightshift.ad_version_hashes (version_id, content_hash)
        SELECT id, decode(content_hash, 'hex')
        FROM unnest(${bigints(rows.map((row) => BigInt(row.version_id)))}, ${texts(rows.map((row) => hashContent(toAd(row))))}) AS n(id, content_hash)
        ON CONFLICT DO NOTHING`,
    );
  }
  return rows.length;
}
