import { beforeAll, describe, expect, test } from 'vitest';
import { formatAdKey } from '../../../src/core/ads/ad-key.ts';
import { codesOf, useTestApi } from '../../support/api/test-api.ts';
import { makeScheduleReport } from '../../../src/reporter/documents/make-report.ts';
import {
  adOf,
  foundAds,
  noAds,
  openTestScans,
  scanDay,
  type FixtureScan,
  type FixtureSchedule,
} from '../../support/scans/evaluation-fixture.ts';

const api = useTestApi();
const moment = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
let key = '';
let schedule: FixtureSchedule;
let scans: readonly FixtureScan[] = [];

beforeAll(async () => {
  key = await api().createKey();
  const scanService = await openTestScans(api().database);
  schedule = await scanService.addSchedule('rivals', ['acme.com', 'globex.com'], { missesToEnd: 1 });
  const [a, b] = [
    adOf('a', { start: scanDay(-9), lastSeen: scanDay(0) }),
    adOf('b', { start: scanDay(-1), lastSeen: scanDay(-1), format: 'Image' }),
  ];
  scans = [
    await scanService.runScan(schedule, 0, { 'acme.com': foundAds([a, b]), 'globex.com': noAds() }),
    await scanService.runScan(schedule, 1, { 'acme.com': foundAds([a]), 'globex.com': noAds() }),
  ];
  await scanService.evaluate();
});

const acme = { company_domain: 'acme.com', company_name: null };

describe('GET /v1/batches/{id}/charts', () => {
  test('returns the numbers of the charts of reports', async () => {
    const ad = adOf('a');
    expect(await read(`/v1/batches/${scans[0]?.batch}/charts?days=2`)).toEqual({
      batch: scans[0]?.batch,
      file_name: scans[0]?.publicId,
      as_of: expect.stringMatching(moment) as string,
      is_current: true,
      window: { from: scanDay(-1), to: scanDay(0) },
      companies: 2,
      outcomes: { found: 1, none: 1, no_match: 0, failed: 0, cancelled: 0, open: 0 },
      ads: { total: 2, dated: 2 },
      active_ads: [
        {
          ...acme,
          before: 1,
          days: [
            { day: scanDay(-1), ads_active: 2 },
            { day: scanDay(0), ads_active: 1 },
          ],
        },
      ],
      days: [
        { day: scanDay(-1), begun: 1, last_seen: 1 },
        { day: scanDay(0), begun: 0, last_seen: 1 },
      ],
      formats: [
        { format: 'Image', ads: 1 },
        { format: 'Text', ads: 1 },
      ],
      largest_reach: [],
      longest_shown: [],
      longest: [
        {
          ...acme,
          advertiser_id: ad.advertiserId,
          creative_id: 'google:a',
          advertiser_name: ad.advertiserName,
          format: 'Text',
          headline: null,
          original_url: null,
          start: scanDay(-9),
          last_seen: scanDay(0),
          ad_id: formatAdKey({ kind: 'creative', advertiserId: 'google:AR-1', creativeId: 'google:a' }),
        },
        expect.objectContaining({ creative_id: 'google:b', start: scanDay(-1) }),
      ],
      most_ads: [{ ...acme, ads_count: 2, source: 'serpapi', cut_short: false }],
    });
  });

  test('covers ninety days by default', async () => {
    const { window } = await read<Drawn>(`/v1/batches/${scans[0]?.batch}/charts`);
    expect(window).toEqual({ from: scanDay(-9), to: scanDay(0) });
  });
});

describe('GET /v1/schedules/{id}/charts', () => {
  test('returns the numbers of the charts of reports', async () => {
    const charts = await read<Drawn>(`/v1/schedules/rivals/charts?days=30`);
    expect(charts).toEqual({
      schedule: schedule.publicId,
      name: 'rivals',
      as_of: expect.stringMatching(moment) as string,
      is_current: true,
      window: { from: charts.window.to, to: charts.window.to },
      companies: 2,
      completeness: { complete: 2, truncated: 0, partial: 0, unconfirmed_empty: 0 },
      ads_active: 1,
      active_ads: [
        { ...acme, before: 1, days: [] },
        { company_domain: 'globex.com', company_name: null, before: 0, days: [] },
      ],
      days: [{ day: charts.window.to, new: 0, reactivated: 0, changed: 0, ended: 1 }],
      formats: [{ format: 'Text', ads: 1 }],
      longest: [expect.objectContaining({ ...acme, creative_id: 'google:a' })],
      most_ads: [
        { ...acme, ads_active: 1, completeness: 'complete' },
        { company_domain: 'globex.com', company_name: null, ads_active: 0, completeness: 'complete' },
      ],
    });
  });

  test('accepts the id of the schedule', async () => {
    expect(await read(`/v1/schedules/${schedule.publicId}/charts`)).toMatchObject({ name: 'rivals' });
  });
});

describe('charts', () => {
  const places = () => [`/v1/batches/${scans[0]?.batch}/charts`, `/v1/schedules/${schedule.publicId}/charts`];

  test('return 404 for another account and unknown ids', async () => {
    await api().createAccount('other');
    const other = await api().createKey({ account: 'other' });
    for (const [whose, at] of [
      ...places().map((place) => [other, place] as const),
      [other, '/v1/schedules/rivals/charts'],
      [key, '/v1/batches/bat_01a1ff734ad87655b2c761ba36458456/charts'],
      [key, '/v1/schedules/nobody/charts'],
    ] as const) {
      const answer = await api().call('GET', at, { key: whose });
      expect([at, answer.status, codesOf(answer)]).toEqual([at, 404, ['not_found']]);
    }
  });

  test.each(['days=0', 'days=367', 'days=1.5', 'days=', 'days=all', 'from=2026-01-01'])(
    'return 400 for ?%s',
    async (query) => {
      for (const place of places()) {
        const answer = await api().call('GET', `${place}?${query}`, { key });
        expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
      }
    },
  );

  test('require the scope batches:read', async () => {
    const writer = await api().createKey({ scopes: ['batches:write', 'credits:read', 'admin'] });
    for (const place of places()) {
      expect((await api().call('GET', place, { key: writer })).status).toBe(403);
      expect((await api().call('GET', place)).status).toBe(401);
    }
  });

  test('return 409 for a purged batch', async () => {
    await api().database.owner.pool.query('UPDATE nightshift.batches SET purged_at = now() WHERE id = $1', [
      scans[1]?.batchId,
    ]);
    const answer = await api().call('GET', `/v1/batches/${scans[1]?.batch}/charts`, { key });
    expect([answer.status, codesOf(answer)]).toEqual([409, ['conflict']]);
    expect(answer.text).toContain('was purged');
  });
});

interface Drawn {
  readonly window: { readonly from: string; readonly to: string };
}

async function read<Body>(at: string): Promise<Body> {
  const answer = await api().call('GET', at, { key });
  expect([answer.status, at]).toEqual([200, at]);
  return answer.json() as Body;
}

describe('GET /v1/schedules/{id}/report', () => {
  test.each(['html', 'md'] as const)(
    'as %s returns the report of the command line as a download',
    async (format) => {
      const answer = await api().call('GET', `/v1/schedules/rivals/report?format=${format}&days=7`, { key });
      const {
        batches: { reportData },
        accounts: { defaultId: accountId },
      } = api().app;
      const made = await makeScheduleReport(reportData, 'rivals', { accountId, format, days: 7 });
      expect([answer.status, answer.text]).toEqual([200, made.text]);
      expect(answer.headers.get('content-disposition')).toContain('attachment');
      expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    },
  );

  test.each(['format=pdf', 'days=0', 'days=367', 'images=true'])('returns 400 for ?%s', async (query) => {
    const answer = await api().call('GET', `/v1/schedules/rivals/report?${query}`, { key });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
  });

  test('returns 404 for another account and unknown ids', async () => {
    await api().createAccount('stranger');
    const stranger = await api().createKey({ account: 'stranger' });
    for (const id of [schedule.publicId, 'rivals', 'nobody']) {
      const answer = await api().call('GET', `/v1/schedules/${id}/report`, { key: stranger });
      expect([answer.status, codesOf(answer)]).toEqual([404, ['not_found']]);
    }
  });
});
