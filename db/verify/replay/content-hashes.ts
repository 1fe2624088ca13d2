import { sql } from 'drizzle-orm';
import { hashContent } from '../../../src/core/changes/content-hash.ts';
import type { Sql } from '../../connection/client.ts';
import { readAdVersions } from '../../stores/ads/read-ads.ts';
import type { Part } from './replay-schedules.ts';

const versionsPerPage = 5000;

/** Computes the content hash of every compared version again. */
export async function checkObservationHashes(db: Sql): Promise<Part> {
  const findings: string[] = [];
  let checked = 0;
  for (let after = 0n; ;) {
    const { rows } = await db.execute<{ version_id: string; content_hash: string }>(
      sql`SELECT version_id, encode(content_hash, 'hex') AS content_hash FROM nightshift.ad_version_hashes WHERE version_id > ${after}
        ORDER BY version_id LIMIT ${versionsPerPage}`,
    );
    const ids = rows.map(({ version_id: id }) => BigInt(id));
    const ads = await readAdVersions(db, ids);
    for (const { version_id: id, content_hash: stored } of rows) {
      const ad = ads.get(id);
      if (ad !== undefined && hashContent(ad) !== stored)
        findings.push(`version ${id} of an ad does not match its stored content hash`);
    }
    checked += rows.length;
    if (rows.length < versionsPerPage) return { checked, findings, note: null };
    after = ids.at(-1) ?? after;
  }
}
