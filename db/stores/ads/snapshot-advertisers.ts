import { sql } from 'drizzle-orm';
import { nameKeys } from '../../../src/core/companies/name-keys.ts';
import type { Sql } from '../../connection/client.ts';
import { bigints, texts } from '../sql/arrays.ts';
import { storeWords, type NamesRow } from './advertiser-words.ts';

/** Merges `staged_advertisers` into a data set, with their search keys. */
export async function mergeAdvertisers(db: Sql, snapshotId: number): Promise<void> {
  await listRenamed(db, snapshotId);
  await updateKnown(db, snapshotId);
  await insertNew(db, snapshotId);
  await storeKeys(db, snapshotId);
}

/** True when a row is at least as new as the one with the stored names. `a` is stored, `s` is staged. */
const isAsNew = sql`(a.names_seen IS NULL OR s.last_seen >= a.names_seen)`;

/** Lists advertisers whose keys must be computed again, which is the expensive part: most loads rename hardly any. */
async function listRenamed(db: Sql, snapshotId: number): Promise<void> {
  await db.execute(
    sql`CREATE TEMPORARY TABLE renamed_advertisers ON COMMIT DROP AS
      SELECT s.advertiser_id FROM pg_temp.staged_advertisers s
      LEFT JOIN nightshift.advertisers a ON a.snapshot_id = ${snapshotId} AND a.advertiser_id = s.advertiser_id
      WHERE a.id IS NULL
        OR (${isAsNew} AND (a.disclosed_name, a.legal_name) IS DISTINCT FROM (s.disclosed_name, s.legal_name))`,
  );
}

async function updateKnown(db: Sql, snapshotId: number): Promise<void> {
  await db.execute(
    sql`UPDATE nightshift.advertisers a
      SET disclosed_name = s.disclosed_name, legal_name = s.legal_name, location = s.location, names_seen = s.last_seen
      FROM pg_temp.staged_advertisers s
      WHERE a.snapshot_id = ${snapshotId} AND a.advertiser_id = s.advertiser_id AND ${isAsNew}
        AND (a.disclosed_name, a.legal_name, a.location, a.names_seen)
          IS DISTINCT FROM (s.disclosed_name, s.legal_name, s.location, s.last_seen)`,
  );
}

async function insertNew(db: Sql, snapshotId: number): Promise<void> {
  await db.execute(
    sql`INSERT INTO nightshift.advertisers (snapshot_id, advertiser_id, disclosed_name, legal_name, location, names_seen)
      SELECT ${snapshotId}, s.advertiser_id, s.disclosed_name, s.legal_name, s.location, s.last_seen
      FROM pg_temp.staged_advertisers s
      WHERE NOT EXISTS (
        SELECT FROM nightshift.advertisers a WHERE a.snapshot_id = ${snapshotId} AND a.advertiser_id = s.advertiser_id)
      ORDER BY s.advertiser_id COLLATE "C"`,
  );
}

/** Names are normalized in Node, like those of companies; a cursor keeps the memory constant. */
async function storeKeys(db: Sql, snapshotId: number): Promise<void> {
  await db.execute(
    sql`DECLARE renamed CURSOR FOR SELECT a.id, a.disclosed_name, a.legal_name
      FROM pg_temp.renamed_advertisers r
      JOIN nightshift.advertisers a ON a.snapshot_id = ${sql.raw(String(snapshotId))} AND a.advertiser_id = r.advertiser_id
      ORDER BY a.id`,
  );
  for (;;) {
    const { rows } = await db.execute<NamesRow>(sql`FETCH 2000 FROM renamed`);
    if (rows.length === 0) break;
    await replaceKeys(db, snapshotId, rows);
    await storeWords(db, snapshotId, rows);
  }
  await db.execute(sql`CLOSE renamed`);
}

async function replaceKeys(db: Sql, snapshotId: number, advertisers: readonly NamesRow[]): Promise<void> {
  const keys = advertisers.flatMap(({ id, disclosed_name, legal_name }) =>
    keysOf([disclosed_name, legal_name]).map((key) => ({ id: BigInt(id), key })),
  );
  await db.execute(
    sql`DELETE FROM nightshift.advertiser_names
      WHERE advertiser_key = ANY (${bigints(advertisers.map(({ id }) => BigInt(id)))})`,
  );
  await db.execute(
    sql`INSERT INTO nightshift.advertiser_names (snapshot_id, name_key, advertiser_key)
      SELECT ${snapshotId}, n.name_key, n.advertiser_key
      FROM unnest(${texts(keys.map(({ key }) => key))}, ${bigints(keys.map(({ id }) => id))}) AS n(name_key, advertiser_key)
      ORDER BY n.name_key COLLATE "C", n.advertiser_key`,
  );
}

function keysOf(names: readonly (string | null)[]): readonly string[] {
  return [...new Set(names.flatMap((name) => (name === null ? [] : nameKeys(name))))];
}
