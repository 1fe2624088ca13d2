import { beforeAll, describe, expect, test } from 'vitest';
import { codesOf, useApiDesk } from '../support/api-desk.ts';
import { openHistory, type HandMadeHistory } from '../support/scans/hand-made-history.ts';
import { writeWeek } from '../support/scans/hand-made-week.ts';

const path = '/v1/changes';

interface Change {
  readonly scan: string;
  readonly kind: string;
  readonly creative_id: string;
  readonly created_at: string;
}

interface Page {
  readonly changes: readonly Change[];
  readonly next: string | null;
}

describe('GET /v1/changes', () => {
  const desk = useApiDesk();
  let key = '';
  let night: HandMadeHistory;
  let scans: readonly string[];

  beforeAll(async () => {
    await desk().createAccount('watcher');
    key = await desk().createKey({ account: 'watcher' });
    night = await openHistory(desk().database, { schedule: 'night & day', account: 'watcher' });
    scans = await writeWeek(night);
  });

  test('lists what is news, the newest scan first', async () => {
    expect(await inShort('')).toEqual(['reactivated b', 'ended b', 'changed c', 'ended p', 'new c']);
  });

  test('tells of a change what it is, of which ad and schedule, and on which scans it rests', async () => {
    const { changes } = await list('kind=ended&company_domain=nike.com');
    expect(changes).toEqual([
      {
        schedule: 'night & day',
        schedule_id: night.publicId,
        scan: scans[3],
        company_key: 'd:nike.com',
        company_domain: null,
        company_name: null,
        kind: 'ended',
        reason: 'not_seen',
        is_news: true,
        advertiser_id: 'AR-d:nike.com',
        creative_id: 'b',
        advertiser_name: 'Advertiser of d:nike.com',
        format: 'Image',
        headline: 'b, look 1',
        original_url: 'https://ads.example/b',
        version_id: expect.any(Number) as unknown,
        version_before: null,
        is_active: false,
        ran_from: null,
        ran_to: '2026-03-03',
        rests_on: [scans[2], scans[3]],
        observed_at: '2026-03-06T02:00:00.000Z',
        created_at: '2026-03-06T03:00:00.000Z',
      },
    ]);
  });

  test.each([1, 2, 5])('pages of %i give every change once, in order', async (limit) => {
    const changes: Change[] = [];
    for (let after = ''; changes.length < 20;) {
      const page = await list(`limit=${limit}${after}`);
      changes.push(...page.changes);
      if (page.next === null) break;
      expect(page.changes).toHaveLength(limit);
      after = `&after=${page.next}`;
    }
    expect(changes).toEqual((await list('limit=1000')).changes);
  });

  test.each([
    ['kind=new', ['new c']],
    ['kind=new,%20ended', ['ended b', 'ended p', 'new c']],
    ['kind=baseline', ['baseline p', 'baseline a', 'baseline b', 'baseline old']],
    ['company_domain=www.puma.com', ['ended p']],
    ['company_name=puma', []],
    ['since=2026-03-06', ['reactivated b', 'ended b', 'changed c']],
    ['since=2026-03-06T03:00:00Z', ['reactivated b', 'ended b', 'changed c']],
    ['since=2026-03-06T03:00:00.001Z', ['reactivated b']],
    ['since=7d', []],
    ['schedule=night%20%26%20day&kind=changed', ['changed c']],
  ])('filter %s', async (query, expected) => {
    expect(await inShort(query)).toEqual(expected);
  });

  test('who goes on from the newest moment that is known misses nothing', async () => {
    const { changes } = await list('kind=new');
    expect(await inShort(`since=${changes[0]?.created_at}`)).toContain('new c');
  });

  test('a schedule that is not there is 404, by its name and by an id', async () => {
    for (const schedule of ['morning', 'sch_01a1ff734ad87655b2c761ba36458456']) {
      const answer = await desk().call('GET', `${path}?schedule=${schedule}`, { key });
      expect([answer.status, codesOf(answer)]).toEqual([404, ['not_found']]);
    }
  });

  test('another account sees nothing, with or without filters and places', async () => {
    const { next } = await list('limit=1');
    const other = await desk().createKey();
    for (const query of [
      '',
      'company_domain=nike.com',
      `after=${next}`,
      'kind=baseline',
      'since=2026-01-01',
    ]) {
      const answer = await desk().call('GET', `${path}?${query}`, { key: other });
      expect([query, answer.status, answer.json()]).toEqual([query, 200, { changes: [], next: null }]);
    }
    const theirs = await desk().call('GET', `${path}?schedule=${night.publicId}`, { key: other });
    expect(theirs.status).toBe(404);
  });

  test.each([
    'after=nonsense',
    'after=',
    'after=%00',
    `after=${Buffer.from('1.2').toString('base64url')}`,
    `after=${Buffer.from(`${'9'.repeat(19)}.1.d:nike.com`).toString('base64url')}`,
    `after=${'x'.repeat(2801)}`,
    'limit=0',
    'limit=1001',
    'limit=1&limit=2',
    'kind=',
    'kind=gone',
    'kind=new,',
    'kind=%00',
    'since=yesterday',
    'since=2026-02-30',
    'since=0000-01-01',
    'since=',
    'schedule=',
    'schedule=%00',
    `schedule=${'x'.repeat(201)}`,
    'company_domain=localhost',
    'company_name=%00',
    'company=nike.com',
    'cursor=1',
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

  async function list(query: string): Promise<Page> {
    const answer = await desk().call('GET', `${path}?${query}`, { key });
    expect([query, answer.status]).toEqual([query, 200]);
    return answer.json() as Page;
  }

  async function inShort(query: string): Promise<readonly string[]> {
    return (await list(query)).changes.map(({ kind, creative_id: ad }) => `${kind} ${ad}`);
  }
});
