import type { SnapshotName } from '../../src/core/sources/snapshot-store.ts';
import type { Asked } from './server-info.ts';

/** The last day, `YYYY-MM-DD`, on which any ad of a data set was seen; null without ads. Scans the data set once. */
export async function readNewestDay(asked: Asked, name: SnapshotName): Promise<string | null> {
  const { rows } = await asked.query<{ day: string | null }>(
    `SELECT max(s.last_seen)::text AS day
      FROM nightshift.snapshots n JOIN nightshift.advertisers a ON a.snapshot_id = n.id
      JOIN nightshift.snapshot_ads s ON s.advertiser_key = a.id WHERE n.name = $1`,
    [name],
  );
  return rows[0]?.day ?? null;
}
