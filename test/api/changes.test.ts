import { beforeAll, describe, expect, test } from 'vitest';
import { codesOf, useApiDesk } from '../support/api-desk.ts';
import {
  adOf,
  foundAds,
  openScanDesk,
  scanDay,
  type HandMadeScan,
  type HandMadeSchedule,
} from '../support/evaluation-desk.ts';

const path = '/v1/changes';

describe('GET /v1/changes', () => {
  const desk = useApiDesk();
  let key = '';
  let schedules: readonly HandMadeSchedule[] = [];
  let scans: readonly HandMadeScan[] = [];
  let all: readonly Change[] = [];

  // Two schedules over acme.com and globex.com. After the baselines, `one` sees an ad change, one begin and one end; `two` one begin.
  beforeAll(async () => {
    key = await desk().createKey();
    const scanDesk = await openScanDesk(desk().database);
    const companies = ['acme.com', 'globex.com'];
    const [one, two] = [
      await scanDesk.addSchedule('one', companies, { missesToEnd: 1 }),
      await scanDesk.addSchedule('two', companies),
    ];
    const redrawn = adOf('a', { format: 'Image' });
    scans = [
      await scanDesk.play(one, 0, { 'acme.com': foundAds(['a', 'b']), 'globex.com': foundAds(['g']) }),
      await scanDesk.play(two, 0, { 'acme.com': foundAds(['a']), 'globex.com': foundAds(['g']) }),
      await scanDesk.play(one, 1, {
        'acme.com': foundAds([redrawn, adOf('n', { start: scanDay(1) })]),
        'globex.com': foundAds(['g']),
      }),
      await scanDesk.play(two, 1, {
        'acme.com': foundAds([adOf('a')]),
        'globex.com': foundAds(['g', adOf('h', { start: scanDay(1) })]),
      }),
    ];
    await scanDesk.evaluate();
    schedules = [one, two];
    all = (await list('kind=baseline,new,reactivated,ended,changed&limit=1000')).changes;
  });

  test('tells what is news, that of the newest scan first, and of each by company and ad', async () => {
    const { changes, next } = await list('');
    expect(next).toBeNull();
    expect(changes.map(inShort)).toEqual([
      'two globex.com h new',
      'one acme.com a changed',
      'one acme.com b ended',
      'one acme.com n new',
    ]);
  });

  test('tells of a change what it rests on, since when, and how the ad looks and looked', async () => {
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
        advertiser_id: 'AR-1',
        creative_id: 'b',
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
    });
    expect(changed).toMatchObject({
      reason: null,
      ad: { format: 'Image' },
      before: { format: 'Text', creative_id: 'a' },
    });
  });

  test.each([1, 2, 3, 100])('pages of %i give every change once, in order', async (limit) => {
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
      'schedule by its name',
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
      'all together',
      'company_domain=acme.com&schedule=one&kind=new',
      (change: Change) => change.ad.creative_id === 'n',
    ],
  ])('filter %s', async (_name, query, wanted) => {
    expect((await list(query)).changes).toEqual(all.filter(wanted));
    expect(all.some(wanted)).toBe(true);
  });

  test('filter schedule by its id, also of one that was removed and left its name to another', async () => {
    const [one] = schedules;
    const owner = desk().database.owner.pool;
    await owner.query(`UPDATE nightshift.schedules SET state = 'removed', next_at = NULL WHERE name = 'one'`);
    expect((await list(`schedule=${one?.publicId}`)).changes).toHaveLength(3);
    const gone = await desk().call('GET', `${path}?schedule=one`, { key });
    expect([gone.status, codesOf(gone)]).toEqual([404, ['not_found']]);
    await owner.query(`UPDATE nightshift.schedules SET state = 'active', next_at = now() WHERE name = 'one'`);
  });

  test('filter since: the moment itself counts', async () => {
    const moment = all[0]?.created_at ?? '';
    const before = new Date(Date.parse(moment) - 1).toISOString();
    expect((await list(`since=${before}`)).changes.length).toBeGreaterThan(0);
    expect((await list('since=2999-01-01T00:00:00Z')).changes).toEqual([]);
    expect((await list(`since=${encodeURIComponent('2000-01-01T00:00:00+02:00')}`)).changes).toHaveLength(4);
  });

  test('another account sees nothing, and a schedule of it is none to this one', async () => {
    await desk().createAccount('other');
    const other = await desk().createKey({ account: 'other' });
    const { next } = await list('limit=1');
    for (const query of ['', '?kind=baseline', '?company_domain=acme.com', `?after=${next ?? ''}`]) {
      const answer = await desk().call('GET', `${path}${query}`, { key: other });
      expect([query, answer.status, answer.json()]).toEqual([query, 200, { changes: [], next: null }]);
    }
    for (const schedule of ['one', schedules[0]?.publicId ?? '', 'nobody-has-this']) {
      const answer = await desk().call('GET', `${path}?schedule=${schedule}`, { key: other });
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
    'since=2026-02-01',
    'company_domain=localhost',
    'company_name=%00',
    'schedule=',
    'schedule=%00',
    'days=2',
  ])('?%s is 400', async (query) => {
    const answer = await desk().call('GET', `${path}?${query}`, { key });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
  });

  test('takes the scope batches:read, and no other', async () => {
    const scopes = ['batches:write', 'ads:search', 'credits:read', 'admin'] as const;
    const refused = await desk().call('GET', path, { key: await desk().createKey({ scopes }) });
    expect([refused.status, codesOf(refused)]).toEqual([403, ['insufficient_scope']]);
    const reader = await desk().createKey({ scopes: ['batches:read'] });
    expect((await desk().call('GET', path, { key: reader })).status).toBe(200);
    expect((await desk().call('GET', path)).status).toBe(401);
  });

  async function list(query: string): Promise<ChangePage> {
    const answer = await desk().call('GET', `${path}?${query}`, { key });
    expect([query, answer.status]).toEqual([query, 200]);
    return answer.json() as ChangePage;
  }

  function find(creativeId: string, kind: string): Change | undefined {
    return all.find((change) => change.ad.creative_id === creativeId && change.kind === kind);
  }
});

interface Change {
  readonly schedule: string;
  readonly kind: string;
  readonly company_domain: string | null;
  readonly created_at: string;
  readonly ad: { readonly creative_id: string };
}

interface ChangePage {
  readonly changes: readonly Change[];
  readonly next: string | null;
}

function inShort({ schedule, company_domain: company, ad, kind }: Change): string {
  return `${schedule} ${company} ${ad.creative_id} ${kind}`;
}
