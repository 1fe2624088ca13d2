import { sql } from 'drizzle-orm';
import { hashContent } from '../../../src/core/changes/content-hash.ts';
import type { Sql } from '../../connection/client.ts';
import { bigints, texts } from '../sql/arrays.ts';
import { readAdVersions } from '../ads/read-ads.ts';
import type { EvaluationPlace } from './claim-evaluation.ts';

/** Number of lookups whose versions are compared at a time. */
const lookupsPerPage = 500;
/** Number of versions in memory at a time, with their content. */
const versionsPerPage = 2000;

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
    const versions = await listVersionsWithoutHash(db, scheduleId, ids);
    for (let i = 0; i < versions.length; i += versionsPerPage) {
      signal.throwIfAborted();
      await keepHashes(db, versions.slice(i, i + versionsPerPage));
    }
    if (ids.length < lookupsPerPage) return;
    after = ids.at(-1) ?? after;
  }
}

async function listVersionsWithoutHash(
  db: Sql,
  scheduleId: number,
  lookupIds: readonly bigint[],
): Promise<readonly bigint[]> {
  const { rows } = await db.execute<{ version_id: string }>(
    sql`SELECT DISTINCT n.version_id
      FROM nightshift.lookups l
      JOIN nightshift.lookup_answers r ON r.lookup_id = l.id
      JOIN nightshift.answers a ON a.id = r.answer_id
      LEFT JOIN nightshift.tracked_companies t ON t.schedule_id = ${scheduleId} AND t.company_key = l.subject_key
      LEFT JOIN nightshift.answers p ON p.id = t.seen_answer_id
      CROSS JOIN LATERAL (
        SELECT unnest(a.versions[:r.ads]) AS version_id EXCEPT SELECT unnest(p.versions[:t.seen_ads])
      ) n
      WHERE l.id = ANY (${bigints(lookupIds)}) AND (r.answer_id, r.ads) IS DISTINCT FROM (t.seen_answer_id, t.seen_ads)
        AND NOT EXISTS (SELECT FROM nightshift.ad_version_hashes k WHERE k.version_id = n.version_id)
      ORDER BY n.version_id`,
  );
  return rows.map(({ version_id: id }) => BigInt(id));
}

async function keepHashes(db: Sql, versionIds: readonly bigint[]): Promise<void> {
  const ads = await readAdVersions(db, versionIds);
  const hashes = [...ads.values()].map(hashContent);
  await db.execute(
    sql`INSERT INTO nightshift.ad_version_hashes (version_id, content_hash)
      SELECT id, decode(content_hash, 'hex') FROM unnest(${bigints([...ads.keys()].map(BigInt))}, ${texts(hashes)}) AS n(id, content_hash)
      ORDER BY id ON CONFLICT DO NOTHING`,
  );
}
