import { expect, test } from 'vitest';
import { countPendingMigrations, migrate } from '../../../../db/migrate.ts';
import { createSnapshotStore } from '../../../../db/stores/ads/snapshots.ts';
import { profileCompany } from '../../../../src/core/companies/match/company-profile.ts';
import { companyWords } from '../../../../src/core/companies/match/search-words.ts';
import { Misconfigured } from '../../../../src/core/errors.ts';
import { createEmptyDatabase, openTestPool } from '../../../support/db/database.ts';
import { withEarlierSchema } from '../../../support/db/earlier-schema.ts';
import { schemaFolder, withClient } from '../../../support/db/test-postgres.ts';

/** Advertisers of a snapshot that an earlier version loaded, and more than are converted at a time. */
const record = `INSERT INTO nightshift.snapshots (name, is_generated, loaded_at) VALUES ('snapshot', false, now())
    ON CONFLICT (name) DO UPDATE SET loaded_at = now();
  INSERT INTO nightshift.advertisers (snapshot_id, advertiser_id, disclosed_name, legal_name)
    SELECT s.id, a.id, a.name, a.legal FROM nightshift.snapshots s, (VALUES ('AR1', 'Nike, Inc.', NULL), ('AR2', 'Nike Retail BV', NULL),
      ('AR3', '유한회사 나이키코리아', NULL), ('AR4', NULL, 'Zalando Payments GmbH')) AS a(id, name, legal) WHERE s.name = 'snapshot';
  INSERT INTO nightshift.advertisers (snapshot_id, advertiser_id, disclosed_name)
    SELECT s.id, 'ARX' || n, 'Vorqubax ' || n FROM nightshift.snapshots s, generate_series(1, 2500) n WHERE s.name = 'snapshot'`;

/** Ids of the advertisers that share a word with a company. */
async function candidatesOf(url: string, domain: string): Promise<readonly string[]> {
  const store = createSnapshotStore(openTestPool(url));
  const snapshot = await store.find('snapshot');
  const words = companyWords(profileCompany({ name: null, domain }));
  const [found] = await store.findCandidates(snapshot?.id ?? 0, [
    { mapping: [], words, nameKeys: [], labelKeys: [] },
  ]);
  return (found?.advertisers ?? []).map(({ advertiserId }) => advertiserId);
}

test('advertisers that an earlier version loaded are found after the migration', async () => {
  const url = await createEmptyDatabase();
  await withEarlierSchema(url, '0016_match', (client) => client.query(record));
  const progress: string[] = [];
  await migrate(url, schemaFolder, undefined, (text) => progress.push(text));
  expect(progress).toEqual(['Storing search words of the snapshot: 2,504 of 2,504 advertisers']);
  expect(await candidatesOf(url, 'nike.com')).toEqual(['AR1', 'AR2', 'AR3']);
  expect(await candidatesOf(url, 'zalando.com')).toContain('AR4');
});

test('a search against advertisers without words is rejected, and the next migration continues', async () => {
  const url = await createEmptyDatabase();
  await withEarlierSchema(url, '0016_match', (client) => client.query(record));
  await migrate(url, schemaFolder);
  const { pool } = openTestPool(url);
  expect(await countPendingMigrations(pool, schemaFolder)).toBe(0);
  // As a migration leaves it that was killed in the middle.
  await withClient(url, (client) =>
    client.query(
      `UPDATE nightshift.snapshots SET words_version = 0;
        DELETE FROM nightshift.advertiser_words WHERE advertiser_key > (SELECT min(id) FROM nightshift.advertisers)`,
    ),
  );
  expect(await countPendingMigrations(pool, schemaFolder)).toBe(1);
  await expect(candidatesOf(url, 'nike.com')).rejects.toThrow(Misconfigured);
  await migrate(url, schemaFolder);
  expect(await countPendingMigrations(pool, schemaFolder)).toBe(0);
  expect(await candidatesOf(url, 'nike.com')).toEqual(['AR1', 'AR2', 'AR3']);
});
