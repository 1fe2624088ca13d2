import { expect, test } from 'vitest';
import { createSnapshotStore } from '../../../db/stores/ads/snapshots.ts';
import { importSnapshot } from '../../../src/sources/snapshot/import.ts';
import { useTestApi, type TestApi } from '../../support/api/test-api.ts';
import { nestedLine, writeFiles } from '../../support/sources/snapshots.ts';

const api = useTestApi({ settings: { NIGHTSHIFT_SOURCES: 'snapshot' } });

type Json = Readonly<Record<string, unknown>>;

async function load({ database }: TestApi, topic: string, asOf: string): Promise<void> {
  const line = nestedLine({ advertiser: 1, creative: 1, name: 'Acme GmbH' }).replace(
    '{',
    `{"topic":"${topic}",`,
  );
  const files = await writeFiles({ 'export.ndjson': line });
  await importSnapshot({ store: createSnapshotStore(database.app), name: 'snapshot', files, asOf });
}

async function search(key: string): Promise<unknown> {
  const answer = await api().call('POST', '/v1/ads/google-ads-search', {
    key,
    json: { company_name: 'Acme GmbH', company_domain: 'acme.de' },
  });
  expect(answer.status, answer.text).toBe(200);
  return (answer.json() as { readonly ads: readonly Json[] }).ads[0]?.['details'];
}

test('an answer of the snapshot has its details, and keeps those of its day', async () => {
  const key = await api().createKey();
  await load(api(), 'Health', '2026-01-01');
  expect(await search(key)).toMatchObject({
    topic: 'Health',
    regions: [
      { region: 'EEA', times_shown_lower: 1000, times_shown_upper: null, surfaces: [] },
      { region: 'DE', first_shown: '2024-01-01', last_shown: '2024-06-30' },
    ],
  });
  await load(api(), 'Travel', '2026-01-02');
  expect(await search(key)).toMatchObject({ topic: 'Travel' });
  const { ads } = (await api().call('GET', '/v1/ads', { key })).json() as { readonly ads: readonly Json[] };
  expect(ads.map(({ details }) => (details as Json)['topic'])).toEqual(['Travel', 'Health']);
});
