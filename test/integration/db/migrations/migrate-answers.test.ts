import { drizzle } from 'drizzle-orm/node-postgres';
import { expect, test } from 'vitest';
import { migrate } from '../../../../db/migrate.ts';
import { createVerifyStore } from '../../../../db/verify/verify-store.ts';
import { createEmptyDatabase } from '../../../support/db/database.ts';
import { withEarlierSchema } from '../../../support/db/earlier-schema.ts';
import { schemaFolder, withClient } from '../../../support/db/test-postgres.ts';

/** Three versions of ads of two advertisers, seen by lookups in different orders, with different relations and days. */
const record = `INSERT INTO nightshift.accounts (name) VALUES ('acme');
  INSERT INTO nightshift.ads (advertiser_id, creative_id, text_hash)
    VALUES ('AR1', 'CR1', NULL), ('AR1', 'CR2', NULL), ('AR2', 'CR3', NULL), (NULL, NULL, '\\xabcd');
  INSERT INTO nightshift.ad_versions (ad_id, content_hash)
    SELECT id, substring(sha256(convert_to(jsonb_build_array(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '[]'::jsonb)::text, 'UTF8')) FOR 16)
    FROM nightshift.ads ORDER BY id;
  INSERT INTO nightshift.lookups (id, account_id, request_id, operation, subject_key, outcome, ads_count, ended_at)
    SELECT n, a.id, 'req_' || n, 'ads_search', 'd:' || n, 'found', c.ads, now()
    FROM nightshift.accounts a, unnest('{1,2,3,4,5}'::int[], '{2,2,2,3,1}'::int[]) AS c(n, ads) WHERE a.name = 'acme';
  INSERT INTO nightshift.lookup_ads (lookup_id, position, version_id, start, last_seen, relation) VALUES
    (1, 1, 2, '2024-01-01', '2024-05-02', NULL), (1, 2, 1, NULL, '2024-05-01', NULL),
    (2, 1, 2, '2024-01-01', '2024-05-02', 'third_party'), (2, 2, 1, NULL, '2024-05-01', 'third_party'),
    (3, 1, 1, NULL, NULL, NULL), (3, 2, 2, '2024-01-01', NULL, NULL),
    (4, 1, 2, '2024-01-01', '2024-05-03', NULL), (4, 2, 3, '2024-02-01', '2024-05-03', 'unknown'), (4, 3, 1, NULL, '2024-05-01', NULL),
    (5, 1, 4, NULL, '2024-05-01', NULL);
  INSERT INTO nightshift.lookup_advertisers (lookup_id, subject, account_id)
    SELECT DISTINCT l.lookup_id, coalesce(i.advertiser_id, encode(i.text_hash, 'hex')), a.id
    FROM nightshift.lookup_ads l JOIN nightshift.ad_versions v ON v.id = l.version_id JOIN nightshift.ads i ON i.id = v.ad_id, nightshift.accounts a
    WHERE a.name = 'acme';
  INSERT INTO nightshift.advertisers (snapshot_id, advertiser_id) SELECT id, unnest('{AR1,AR2,AR3}'::text[]) FROM nightshift.snapshots WHERE name = 'snapshot';
  INSERT INTO nightshift.snapshot_ads (advertiser_key, ad_id, version_id, start, last_seen)
    SELECT d.id, s.ad_id, s.version_id, s.start, s.last_seen FROM (VALUES ('AR1', 1, 1, NULL, '2024-05-01'::date),
      ('AR1', 2, 2, '2024-01-01'::date, '2024-05-02'), ('AR2', 3, 3, NULL, NULL)) AS s(advertiser_id, ad_id, version_id, start, last_seen)
    JOIN nightshift.advertisers d USING (advertiser_id)`;

const adsSql = `SELECT lookup_id, position, version_id, start, last_seen, relation FROM nightshift.lookup_ads
  ORDER BY lookup_id, position`;
const advertisersSql = 'SELECT * FROM nightshift.lookup_advertisers ORDER BY lookup_id, subject';

test('a database without answers keeps every ad of its lookups, with its order, days and relation', async () => {
  const url = await createEmptyDatabase();
  const before = await withEarlierSchema(url, '0005_answers', async (client) => {
    await client.query(record);
    const ads = (await client.query<Record<string, unknown>>(adsSql)).rows;
    return { ads, advertisers: (await client.query<Record<string, unknown>>(advertisersSql)).rows };
  });
  const { applied } = await migrate(url, schemaFolder);
  expect(applied).toContain('0005_answers');
  await withClient(url, async (client) => {
    expect((await client.query(adsSql)).rows).toEqual(before.ads);
    expect((await client.query(advertisersSql)).rows).toEqual(before.advertisers);
    // The first lookup found what the snapshot has of its advertiser, and so did the second, of an agency.
    const shared = `SELECT lookup_id::integer FROM nightshift.lookup_answers r
      WHERE r.answer_id = (SELECT answer_id FROM nightshift.advertisers WHERE advertiser_id = 'AR1') ORDER BY 1`;
    expect((await client.query(shared)).rows).toEqual([{ lookup_id: 1 }, { lookup_id: 2 }]);
    const reports = await createVerifyStore(drizzle(client)).check({ only: [6] });
    expect(reports.flatMap(({ broken }) => broken)).toEqual([]);
  });
});
