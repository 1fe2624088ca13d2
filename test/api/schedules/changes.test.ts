import { beforeAll, describe, expect, test } from 'vitest';
import { formatAdKey } from '../../../src/core/ads/ad-key.ts';
import { codesOf, useTestApi } from '../../support/api/test-api.ts';
import {
  adOf,
  foundAds,
  openTestScans,
  scanDay,
  type FixtureScan,
  type FixtureSchedule,
} from '../../support/scans/evaluation-fixture.ts';
import { openHistory } from '../../support/scans/history-fixture.ts';

const path = '/v1/changes';

describe('GET /v1/changes', () => {
  const api = useTestApi();
  let key = '';
  let schedules: readonly FixtureSchedule[] = [];
  let scans: readonly FixtureScan[] = [];
  let all: readonly Change[] = [];

  // Two schedules for acme.com and globex.com. After the baselines, `one` has an ad that changes, one that begins and one that
  // ends; `two` has one that begins.
  beforeAll(async () => {
    key = await api().createKey();
    const scanService = await openTestScans(api().database);
    const companies = ['acme.com', 'globex.com'];
    const [one, two] = [
      await scanService.addSchedule('one', companies, { missesToEnd: 1 }),
      await scanService.addSchedule('two', companies),
    ];
    const redrawn = adOf('a', { format: 'Image' });
    scans = [
      await scanService.runScan(one, 0, { 'acme.com': foundAds(['a', 'b']), 'globex.com': foundAds(['g']) }),
      await scanService.runScan(two, 0, { 'acme.com': foundAds(['a']), 'globex.com': foundAds(['g']) }),
      await scanService.runScan(one, 1, {
        'acme.com': foundAds([redrawn, adOf('n', { start: scanDay(1) })]),
        'globex.com': foundAds(['g']),
      }),
      await scanService.runScan(two, 1, {
        'acme.com': foundAds([adOf('a')]),
        'globex.com': foundAds(['g', adOf('h', { start: scanDay(1) })]),
      }),
    ];
    await scanService.evaluate();
    schedules = [one, two];
    all = (await list('kind=baseline,new,reactivated,ended,changed&limit=1000')).changes;
  });

  test('lists changes, newest scan first, then by company and ad', async () => {
    const { changes, next } = await list('');
    expect(next).toBeNull();
    expect(changes.map(summarize)).toEqual([
      'two globex.com h new',
      'one acme.com a changed',
      'one acme.com b ended',
      'one acme.com n new',
    ]);
  });

  test('returns the reason of a change, its scans and times, and the ad before and after', async () => {
    const [ended, changed] = [find('b', 'ended'), find('a', 'changed')];
    expect(ended).toEqual({
      schedule: 'one',
      schedule_id: schedules[0]?.publicId,
      scan: scans[2]?.publicId,
      company_domain: 'acme.com',
      company_name: null,
      kind: 'ended',
      reason: 'not_seen',
      ad: {
        advertiser_id: 'google:AR-1',
        creative_id: 'google:b',
        platform: 'google',
        original_url: null,
        variants: [{ content: '<img src="https://tpc.googlesyndication.com/b">', height: 209, width: 348 }],
        advertiser_name: 'Acme Inc.',
        format: 'Text',
      },
      before: null,
      ran_from: null,
      ran_to: scanDay(0),
      rests_on: [scans[2]?.publicId],
      observed_at: `${scanDay(1)}T02:00:00.000Z`,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      rests_on_at: [expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string],
      ad_id: formatAdKey({ kind: 'creative', advertiserId: 'google:AR-1', creativeId: 'google:b' }),
    });
    expect(changed).toMatchObject({
      reason: null,
      ad: { format: 'Image' },
      before: { format: 'Text', creative_id: 'google:a' },
    });
  });

  test.each([1, 2, 3, 100])('returns every change once, in order, in pages of %i', async (limit) => {
    const changes: Change[] = [];
    for (let after = ''; ;) {
      const page = await list(`limit=${limit}&kind=baseline,new,ended,changed${after}`);
      changes.push(...page.changes);
      if (page.next === null) break;
      expect(page.changes).toHaveLength(limit);
      after = `&after=${encodeURIComponent(page.next)}`;
    }
    expect(changes).toEqual(all);
    expect(all).toHaveLength(9);
  });

  test.each([
    [
      'schedule by name',
      'schedule=one',
      (change: Change) => change.schedule === 'one' && change.kind !== 'baseline',
    ],
    ['kind', 'kind=ended', (change: Change) => change.kind === 'ended'],
    ['several kinds', 'kind=new,baseline', (change: Change) => ['new', 'baseline'].includes(change.kind)],
    [
      'company',
      'company_domain=https://www.GLOBEX.com/',
      (change: Change) => change.company_domain === 'globex.com' && change.kind !== 'baseline',
    ],
    [
      'format: that of the ad as it is now, regardless of case',
      'ad_format=image',
      (change: Change) => change.ad.format === 'Image' && change.kind !== 'baseline',
    ],
    [
      'combined',
      'company_domain=acme.com&schedule=one&kind=new',
      (change: Change) => change.ad.creative_id === 'google:n',
    ],
  ])('filter %s', async (_name, query, wanted) => {
    expect((await list(query)).changes).toEqual(all.filter(wanted));
    expect(all.some(wanted)).toBe(true);
  });

  test('filter day: by the start of the scan in the time zone', async () => {
    // The second scan of `one` starts on the 11th in UTC, which is the 12th in Tokyo; that of `two` on the 12th.
    await beganAt(scans[2]?.publicId, '2026-03-11T16:00:00Z');
    await beganAt(scans[3]?.publicId, '2026-03-12T02:00:00Z');
    const on = async (query: string) => (await list(query)).changes.map(({ schedule }) => schedule);
    expect(await on('day=2026-03-11')).toEqual(['one', 'one', 'one']);
    expect(await on('day=2026-03-12')).toEqual(['two']);
    expect(await on('day=2026-03-11&time_zone=Asia/Tokyo')).toEqual([]);
    expect(await on('day=2026-03-12&time_zone=Asia/Tokyo')).toEqual(['two', 'one', 'one', 'one']);
    expect(await on('day=2026-03-12&time_zone=Asia/Tokyo&schedule=one&kind=ended')).toEqual(['one']);
    expect(await on('day=2026-03-13')).toEqual([]);
  });

  test('filter scan', async () => {
    const { changes } = await list(`scan=${scans[3]?.publicId}`);
    expect(changes.map(summarize)).toEqual(['two globex.com h new']);
    expect((await list('scan=scn_nobody')).changes).toEqual([]);
    expect((await list(`scan=${scans[0]?.publicId}`)).changes).toEqual([]);
  });

  test('filter schedule by id, also for a removed schedule whose name is in use again', async () => {
    const [one] = schedules;
    const owner = api().database.owner.pool;
    await owner.query(`UPDATE nightshift.schedules SET state = 'removed', next_at = NULL WHERE name = 'one'`);
    expect((await list(`schedule=${one?.publicId}`)).changes).toHaveLength(3);
    const gone = await api().call('GET', `${path}?schedule=one`, { key });
    expect([gone.status, codesOf(gone)]).toEqual([404, ['not_found']]);
    await owner.query(`UPDATE nightshift.schedules SET state = 'active', next_at = now() WHERE name = 'one'`);
  });

  test('filter since: includes the given moment', async () => {
    const moment = all[0]?.created_at ?? '';
    const before = new Date(Date.parse(moment) - 1).toISOString();
    expect((await list(`since=${before}`)).changes.length).toBeGreaterThan(0);
    expect((await list('since=2999-01-01T00:00:00Z')).changes).toEqual([]);
    expect((await list(`since=${encodeURIComponent('2000-01-01T00:00:00+02:00')}`)).changes).toHaveLength(4);
  });

  test('filter since: accepts a day in UTC and a duration', async () => {
    const [{ created_at: at = '' } = {}] = all;
    expect((await list(`since=${at.slice(0, 10)}`)).changes).toHaveLength(4);
    expect((await list('since=1h')).changes).toHaveLength(4);
    expect((await list('since=2999-01-01')).changes).toEqual([]);
  });

  test('continues after a company with a very long name', async () => {
    const account = 'long names';
    await api().createAccount(account);
    const own = await api().createKey({ account });
    const history = await openHistory(api().database, { schedule: 'night', account });
    const changes = ['a', 'b'].map((ad) => ({ kind: 'new', ad }) as const);
    await history.run({ day: '2026-03-01', observations: { [`n:${'\u6f22'.repeat(498)}`]: { changes } } });
    const first = await api().call('GET', `${path}?limit=1`, { key: own });
    const { next } = first.json() as ChangePage;
    const second = await api().call('GET', `${path}?limit=1&after=${next}`, { key: own });
    expect(second.status).toBe(200);
    expect((second.json() as ChangePage).changes.map(({ ad }) => ad.creative_id)).toEqual(['google:b']);
  });

  test('returns nothing of another account, and its schedules are unknown', async () => {
    await api().createAccount('other');
    const other = await api().createKey({ account: 'other' });
    const { next } = await list('limit=1');
    for (const query of ['', '?kind=baseline', '?company_domain=acme.com', `?after=${next ?? ''}`]) {
      const answer = await api().call('GET', `${path}${query}`, { key: other });
      expect([query, answer.status, answer.json()]).toEqual([query, 200, { changes: [], next: null }]);
    }
    for (const schedule of ['one', schedules[0]?.publicId ?? '', 'nobody-has-this']) {
      const answer = await api().call('GET', `${path}?schedule=${schedule}`, { key: other });
      expect([answer.status, codesOf(answer)]).toEqual([404, ['not_found']]);
    }
  });

  test.each([
    'after=nonsense',
    'after=',
    `after=${Buffer.from('1.2').toString('base64url')}`,
    `after=${Buffer.from('1.x.d:a.com').toString('base64url')}`,
    `after=${Buffer.from(`${'9'.repeat(19)}.1.d:a.com`).toString('base64url')}`,
    `after=${Buffer.from('1.2.d:\0').toString('base64url')}`,
    'limit=0',
    'limit=1001',
    'kind=gone',
    'kind=',
    'kind=new,',
    'since=yesterday',
    'since=2026-02-30T00:00:00Z',
    'since=2026-02-30',
    'since=0000-01-01',
    'since=',
    `after=${'x'.repeat(2801)}`,
    'company=acme.com',
    'company_domain=localhost',
    'company_name=%00',
    'schedule=',
    'schedule=%00',
    'days=2',
    'day=2026-02-30',
    'day=0000-01-01',
    'day=1969-12-31',
    'day=2200-01-01',
    'day=2026-03-01&time_zone=Nowhere/None',
    'time_zone=',
    'scan=',
  ])('returns 400 for ?%s', async (query) => {
    const answer = await api().call('GET', `${path}?${query}`, { key });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
  });

  test('requires the scope batches:read', async () => {
    const scopes = ['batches:write', 'ads:search', 'credits:read', 'admin'] as const;
    const refused = await api().call('GET', path, { key: await api().createKey({ scopes }) });
    expect([refused.status, codesOf(refused)]).toEqual([403, ['insufficient_scope']]);
    const reader = await api().createKey({ scopes: ['batches:read'] });
    expect((await api().call('GET', path, { key: reader })).status).toBe(200);
    expect((await api().call('GET', path)).status).toBe(401);
  });

  async function beganAt(scan: string | undefined, at: string): Promise<void> {
    await api().database.owner.pool.query('UPDATE nightshift.scans SET begun_at = $2 WHERE public_id = $1', [
      ...[scan, at],
    ]);
  }

  describe('GET /v1/changes/days', () => {
    test('counts the changes per day and schedule, newest day first, with days without changes', async () => {
      await beganAt(scans[0]?.publicId, '2026-03-10T02:00:00Z');
      await beganAt(scans[1]?.publicId, '2026-03-10T23:30:00Z');
      await beganAt(scans[2]?.publicId, '2026-03-11T02:00:00Z');
      await beganAt(scans[3]?.publicId, '2026-03-11T02:00:00Z');
      const [one, two] = schedules.map(({ publicId }) => publicId);
      const nothing = { new: 0, reactivated: 0, ended: 0, changed: 0 };
      expect(await days('')).toEqual({
        days: [
          { ...nothing, day: '2026-03-11', schedule: 'two', schedule_id: two, scans: 1, new: 1 },
          {
            ...{ day: '2026-03-11', schedule: 'one', schedule_id: one, scans: 1 },
            ...{ new: 1, reactivated: 0, ended: 1, changed: 1 },
          },
          { ...nothing, day: '2026-03-10', schedule: 'two', schedule_id: two, scans: 1 },
          { ...nothing, day: '2026-03-10', schedule: 'one', schedule_id: one, scans: 1 },
        ],
        next: null,
      });
      const inBerlin = (await days('time_zone=Europe/Berlin')).days;
      expect(inBerlin.map(({ day, schedule, scans: count }) => `${day} ${schedule} ${count}`)).toEqual([
        '2026-03-11 two 2',
        '2026-03-11 one 1',
        '2026-03-10 one 1',
      ]);
    });

    test.each([1, 2, 3])(
      'returns every day of every schedule once, in order, in pages of %i',
      async (limit) => {
        const whole = (await days('')).days;
        const pages: unknown[] = [];
        for (let after = ''; ;) {
          const page = await days(`limit=${limit}${after}`);
          pages.push(...page.days);
          if (page.next === null) break;
          expect(page.days).toHaveLength(limit);
          after = `&after=${page.next}`;
        }
        expect(pages).toEqual(whole);
      },
    );

    test('filters by schedule and by company', async () => {
      const shortly = async (query: string) =>
        (await days(query)).days.map((day) => [day.schedule, day.new, day.ended, day.changed]);
      expect(await shortly('schedule=two')).toEqual([
        ['two', 1, 0, 0],
        ['two', 0, 0, 0],
      ]);
      expect(await shortly('company_domain=globex.com&limit=2')).toEqual([
        ['two', 1, 0, 0],
        ['one', 0, 0, 0],
      ]);
    });

    test('returns nothing of another account, and rejects its schedules and cursors', async () => {
      await api().createAccount('stranger');
      const stranger = await api().createKey({ account: 'stranger' });
      const { next } = await days('limit=1');
      for (const query of ['', `?after=${next}`]) {
        const answer = await api().call('GET', `${path}/days${query}`, { key: stranger });
        expect([answer.status, answer.json()]).toEqual([200, { days: [], next: null }]);
      }
      const foreign = await api().call('GET', `${path}/days?schedule=${schedules[0]?.publicId}`, {
        key: stranger,
      });
      expect([foreign.status, codesOf(foreign)]).toEqual([404, ['not_found']]);
    });

    test.each([
      'after=nonsense',
      `after=${Buffer.from('2026-02-30.1').toString('base64url')}`,
      'limit=367',
      'time_zone=Mars/Base',
      'day=2026-03-01',
      'company_domain=localhost',
    ])('returns 400 for ?%s', async (query) => {
      const answer = await api().call('GET', `${path}/days?${query}`, { key });
      expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    });

    async function days(query: string): Promise<DayPage> {
      const answer = await api().call('GET', `${path}/days?${query}`, { key });
      expect([answer.status, query]).toEqual([200, query]);
      return answer.json() as DayPage;
    }
  });

  async function list(query: string): Promise<ChangePage> {
    const answer = await api().call('GET', `${path}?${query}`, { key });
    expect([query, answer.status]).toEqual([query, 200]);
    return answer.json() as ChangePage;
  }

  function find(creativeId: string, kind: string): Change | undefined {
    return all.find((change) => change.ad.creative_id === `google:${creativeId}` && change.kind === kind);
  }
});

interface Change {
  readonly schedule: string;
  readonly kind: string;
  readonly company_domain: string | null;
  readonly created_at: string;
  readonly ad: { readonly creative_id: string; readonly format?: string };
}

interface ChangePage {
  readonly changes: readonly Change[];
  readonly next: string | null;
}

interface DayPage {
  readonly days: readonly {
    readonly day: string;
    readonly schedule: string;
    readonly scans: number;
    readonly new: number;
    readonly ended: number;
    readonly changed: number;
  }[];
  readonly next: string | null;
}

function summarize({ schedule, company_domain: company, ad, kind }: Change): string {
  return `${schedule} ${company} ${ad.creative_id.replace('google:', '')} ${kind}`;
}
