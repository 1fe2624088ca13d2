import { drizzle } from 'drizzle-orm/node-postgres';
import { expect, test } from 'vitest';
import { migrate } from '../../../../db/migrate.ts';
import { readTrackedStates } from '../../../../db/stores/changes/tracked-states.ts';
import { createEmptyDatabase } from '../../../support/db/database.ts';
import { withEarlierSchema } from '../../../support/db/earlier-schema.ts';
import { schemaFolder, withClient } from '../../../support/db/test-postgres.ts';

/** A company with an ad that runs, one that a scan has missed and one that has ended. */
const record = `INSERT INTO nightshift.tracked_companies (schedule_id, company_key, baseline_scan_id, last_scan_id, last_observed_at,
    last_day, last_outcome, last_sources, conclusive_day, conclusive_completeness, conclusive_sources)
    VALUES (1, 'd:acme.com', 1, 3, '2026-03-12T02:00:00Z', '2026-03-12', 'found', '{snapshot}', '2026-03-12', 'complete', '{snapshot}');
  INSERT INTO nightshift.tracked_ads (schedule_id, company_key, ad_id, is_active, first_scan_id, last_scan_id, version_id, source,
    content_hash, other_sources, day, start, last_seen, missed_in) VALUES
    (1, 'd:acme.com', 1, true, 1, 3, 11, 'snapshot', '\\x0a', NULL, '2026-03-12', '2026-01-01', '2026-03-12', '{}'),
    (1, 'd:acme.com', 2, true, 1, 2, 12, 'snapshot', '\\x0b', '[{"source": "serpapi", "version": "13", "contentHash": "0c"}]',
      '2026-03-11', NULL, NULL, '{3}'),
    (1, 'd:acme.com', 3, false, 2, 3, 14, 'snapshot', '\\x0d', NULL, '2026-03-12', '2025-01-01', '2025-02-01', '{}')`;

const columns = `schedule_id, company_key, ad_id, is_active, first_scan_id, last_scan_id, version_id, source, content_hash, other_sources, day,
  start, last_seen, missed_in`;
const adsSql = `SELECT ${columns} FROM nightshift.tracked_ads ORDER BY ad_id`;

test('a database without carried ads keeps the state of every ad, and the next answer is read whole', async () => {
  const url = await createEmptyDatabase();
  const before = await withEarlierSchema(url, '0010_carried_ads', async (client) => {
    await client.query(record);
    return (await client.query<Record<string, unknown>>(adsSql)).rows;
  });
  const { applied } = await migrate(url, schemaFolder);
  expect(applied).toContain('0010_carried_ads');
  await withClient(url, async (client) => {
    expect((await client.query(adsSql)).rows).toEqual(before);
    const compared = 'SELECT seen_scan_id, seen_answer_id FROM nightshift.tracked_companies';
    expect((await client.query(compared)).rows).toEqual([{ seen_scan_id: null, seen_answer_id: null }]);
    const state = (await readTrackedStates(drizzle(client), 1, ['d:acme.com'])).get('d:acme.com');
    expect(state?.ads.get(2n)).toMatchObject({ lastScanId: 2n, day: '2026-03-11', missedIn: [3n] });
  });
});
