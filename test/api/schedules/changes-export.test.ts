import { beforeAll, describe, expect, test } from 'vitest';
import { codesOf, useTestApi } from '../../support/api/test-api.ts';
import {
  adOf,
  foundAds,
  openTestScans,
  scanDay,
  type FixtureScan,
} from '../../support/scans/evaluation-fixture.ts';
import { openHistory } from '../../support/scans/history-fixture.ts';

const path = '/v1/changes/export';
const header =
  'observed_at,schedule,company_domain,company_name,change,reason,advertiser_name,advertiser_id,creative_id,' +
  'format,headline,description,display_url,final_url,original_url,ran_from,ran_to,' +
  'before_format,before_headline,before_description,before_display_url,before_final_url,scan';

describe('GET /v1/changes/export', () => {
  const api = useTestApi();
  let key = '';
  let scans: readonly FixtureScan[] = [];

  beforeAll(async () => {
    key = await api().createKey();
    const scanService = await openTestScans(api().database);
    const rivals = await scanService.addSchedule('rivals', ['acme.com'], { missesToEnd: 1 });
    const text = { displayUrl: 'acme.com', finalUrl: 'https://acme.com/', adType: null };
    const formula = { ...text, headline: '=1+2', description: 'He said "hi", twice' };
    scans = [
      await scanService.runScan(rivals, 0, { 'acme.com': foundAds(['a', 'b']) }),
      await scanService.runScan(rivals, 1, {
        'acme.com': foundAds([
          adOf('a', { format: 'Image' }),
          adOf('n', {
            start: scanDay(1),
            text: formula,
            originalUrl: 'https://adstransparency.google.com/n',
          }),
        ]),
      }),
    ];
    await scanService.evaluate();
  });

  test('returns a line for each change, with the ad now and before, and escaped formulas', async () => {
    const answer = await api().call('GET', path, { key });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="changes-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const at = `${scanDay(1)}T02:00:00.000Z`;
    const scan = scans[1]?.publicId;
    expect(answer.text.split('\n')).toEqual([
      header,
      `${at},rivals,acme.com,,changed,,Acme Inc.,google:AR-1,google:a,Image,,,,,,,,Text,,,,,${scan}`,
      `${at},rivals,acme.com,,ended,not_seen,Acme Inc.,google:AR-1,google:b,Text,,,,,,,${scanDay(0)},,,,,,${scan}`,
      `${at},rivals,acme.com,,new,,Acme Inc.,google:AR-1,google:n,Text,'=1+2,"He said ""hi"", twice",acme.com,https://acme.com/,` +
        `https://adstransparency.google.com/n,${scanDay(1)},,,,,,,${scan}`,
      '',
    ]);
  });

  test.each([
    ['kind=ended', ['google:b']],
    ['kind=baseline', ['google:a', 'google:b']],
    ['schedule=rivals&kind=new,changed', ['google:a', 'google:n']],
    ['company_domain=globex.com', []],
    ['since=2999-01-01', []],
  ])('with %s returns the changes of the list', async (query, ads) => {
    const { text } = await api().call('GET', `${path}?${query}`, { key });
    const lines = text.trimEnd().split('\n').slice(1);
    expect(lines.map((line) => line.split(',')[8])).toEqual(ads);
    const listed = await api().call('GET', `/v1/changes?${query}`, { key });
    const { changes } = listed.json() as {
      readonly changes: readonly { readonly ad: { readonly creative_id: string } }[];
    };
    expect(changes.map(({ ad }) => ad.creative_id)).toEqual(ads);
  });

  test('returns more changes than a page of the list has, each once', async () => {
    await api().createAccount('many');
    const many = await api().createKey({ account: 'many' });
    const history = await openHistory(api().database, { schedule: 'many', account: 'many' });
    const changes = Array.from({ length: 2500 }, (_, i) => ({ kind: 'new', ad: `ad-${i}` }) as const);
    await history.run({ day: '2026-03-01', observations: { 'd:acme.com': { changes } } });
    const { text } = await api().call('GET', path, { key: many });
    const ads = text
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',')[8]);
    expect(ads).toHaveLength(2500);
    expect(new Set(ads).size).toBe(2500);
  });

  test('of another account is empty, and its schedules are unknown, also to HEAD', async () => {
    await api().createAccount('other');
    const other = await api().createKey({ account: 'other' });
    const { status, text } = await api().call('GET', `${path}?kind=baseline,new`, { key: other });
    expect([status, text]).toEqual([200, `${header}\n`]);
    const unknown = await api().call('GET', `${path}?schedule=rivals`, { key: other });
    expect([unknown.status, codesOf(unknown)]).toEqual([404, ['not_found']]);
    expect((await api().call('HEAD', `${path}?schedule=rivals`, { key: other })).status).toBe(404);
    const head = await api().call('HEAD', `${path}?schedule=rivals`, { key });
    expect([head.status, head.text]).toEqual([200, '']);
  });

  test.each(['limit=1', 'after=x', 'kind=gone', 'day=2026-02-30', 'company_domain=localhost'])(
    'returns 400 for ?%s',
    async (query) => {
      const answer = await api().call('GET', `${path}?${query}`, { key });
      expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    },
  );

  test('requires the scope batches:read', async () => {
    const scopes = ['batches:write', 'ads:search', 'credits:read', 'admin'] as const;
    const rejected = await api().call('GET', path, { key: await api().createKey({ scopes }) });
    expect([rejected.status, codesOf(rejected)]).toEqual([403, ['insufficient_scope']]);
    expect((await api().call('GET', path)).status).toBe(401);
  });
});
