import { expect, test } from 'vitest';
import { migrate } from '../../../../db/migrate.ts';
import { createSnapshotStore } from '../../../../db/stores/ads/snapshots.ts';
import { createFreshAnswers } from '../../../../db/stores/work/fresh-answers.ts';
import { createScheduleStore } from '../../../../db/stores/schedules/schedules.ts';
import { anySearch } from '../../../../src/core/ads/ads-answer.ts';
import { fullId } from '../../../../src/core/companies/platform-id.ts';
import { importSnapshot } from '../../../../src/sources/snapshot/import.ts';
import { createEmptyDatabase, openTestPool } from '../../../support/db/database.ts';
import { withEarlierSchema } from '../../../support/db/earlier-schema.ts';
import { schemaFolder } from '../../../support/db/test-postgres.ts';
import { questionAbout } from '../../../support/sources/plain-exchange.ts';
import {
  advertiserId,
  company,
  creativeId,
  nestedFile,
  writeFiles,
} from '../../../support/sources/snapshots.ts';

const acme = company({ domain: 'acme.com' });

/** A loaded snapshot with an ad, a schedule and a found answer to a search in a region, which had no surface. */
const record = `UPDATE nightshift.snapshots SET loaded_at = now() WHERE name = 'snapshot';
  INSERT INTO nightshift.ads (advertiser_id, creative_id) VALUES ('${advertiserId(1)}', '${creativeId(1)}');
  INSERT INTO nightshift.ad_versions (ad_id, content_hash, advertiser_name) VALUES (1, '\\x00', 'Advertiser 1');
  INSERT INTO nightshift.advertisers (snapshot_id, advertiser_id, disclosed_name) SELECT id, '${advertiserId(1)}', 'Advertiser 1' FROM nightshift.snapshots WHERE name = 'snapshot';
  INSERT INTO nightshift.advertiser_names (snapshot_id, name_key, advertiser_key) SELECT snapshot_id, 'advertiser 1', id FROM nightshift.advertisers;
  INSERT INTO nightshift.snapshot_ads (advertiser_key, ad_id, version_id, start, last_seen) VALUES (1, 1, 1, '2024-01-01', '2024-02-02');
  INSERT INTO nightshift.answers (content_hash, ads, versions, starts, last_days) VALUES ('\\x01', 1, '{1}', '{2024-01-01}', '{infinity}');
  INSERT INTO nightshift.lookups (id, account_id, request_id, operation, subject_key, company_domain, outcome, source, matched_by, ads_count,
      ended_at, answer_id, newest_day, search)
    VALUES (1, 1, 'req_1', 'ads_search', '${acme.key}', 'acme.com', 'found', 'serpapi', 'domain', 1, now(), 1, '2024-02-02',
      '{"region": "DE", "adsMax": null, "ownOnly": false, "ageMsMax": null}');
  INSERT INTO nightshift.schedules (public_id, account_id, name, cron, time_zone, file_name, file_content, file_options, companies, sources, next_at, search)
    VALUES ('sch_1', 1, 'rivals', '0 2 * * *', 'UTC', 'rivals.csv', 'website', '{}', 3, '{serpapi}', now() + interval '90 days',
      '{"region": "DE", "adsMax": null, "ownOnly": false, "ageMsMax": null}')`;

test('a database without details keeps its ads, searches and answers, and gets details with the next export', async () => {
  const url = await createEmptyDatabase();
  await withEarlierSchema(url, '0014_ad_details', (client) => client.query(record));
  await migrate(url, schemaFolder);
  const owner = openTestPool(url, { role: null });
  const app = openTestPool(url);
  const ads = async () =>
    (await owner.pool.query('SELECT creative_id, payer, regions, days_shown FROM reports.ads'))
      .rows as unknown;
  const known = { creative_id: fullId(creativeId(1)), payer: null, regions: null, days_shown: null };
  expect(await ads()).toEqual([known]);

  const [schedule] = await createScheduleStore(app.sql).list(1, 10);
  expect(schedule?.search).toEqual({ ...anySearch, region: 'DE' });
  const search = { ...anySearch, region: 'DE', ageMsMax: 86_400_000 };
  const source = createFreshAnswers(app.sql, { accountId: 1, sources: ['serpapi'], search });
  const asked = [questionAbout(acme)];
  expect(await source.findAds(asked, new AbortController().signal)).toEqual([
    { kind: 'repeated', lookupId: 1n },
  ]);

  const store = createSnapshotStore(app);
  expect(await store.find('snapshot')).toMatchObject({ hasRegions: false, hasSurfaces: false });
  const files = await writeFiles({ 'export.ndjson': nestedFile([{ advertiser: 1, creative: 1 }]) });
  const load = await importSnapshot({ store, name: 'snapshot', files, asOf: '2024-03-03' });
  expect(load).toMatchObject({ adsNew: 0, asOf: '2024-03-03' });
  expect(await store.find('snapshot')).toMatchObject({ hasRegions: true, hasSurfaces: false });
  const { rows } = await owner.pool.query(
    'SELECT region, times_shown_lower FROM reports.ad_regions ORDER BY region',
  );
  expect(rows).toEqual([
    { region: 'DE', times_shown_lower: '1000' },
    { region: 'EEA', times_shown_lower: '1000' },
  ]);
  // The answer of another source says nothing of them.
  expect(await ads()).toEqual([known]);
});
