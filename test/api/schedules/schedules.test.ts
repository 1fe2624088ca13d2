import { describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/core/accounts/api-key.ts';
import { codesOf, useTestApi, type Answer } from '../../support/api/test-api.ts';
import { createSchedulesApi, noSuchSchedule, path, type ScanOut } from '../../support/api/schedules-api.ts';

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('GET /v1/schedules', () => {
  const service = useTestApi();
  const api = createSchedulesApi(service);

  test('lists the schedules of the account, newest first, each as in GET /v1/schedules/{id}', async () => {
    const { key, ids } = await api.accountWith('newest-first', 3);
    const { schedules, next } = await api.read<Page>(key, path);
    expect(schedules.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(next).toBeNull();
    for (const schedule of schedules) expect(await api.read(key, `${path}/${schedule.id}`)).toEqual(schedule);
  });

  test('returns an empty list for an account without schedules', async () => {
    const { key } = await api.accountWith('empty', 0);
    expect(await api.read(key, path)).toEqual({ schedules: [], next: null });
  });

  test.each([1, 2, 4, 5, 6])('returns every schedule once, in order, in pages of %i', async (limit) => {
    const { key, ids } = await api.accountWith(`pages-of-${limit}`, 5);
    const pages: string[][] = [];
    for (let after = ''; ;) {
      const { schedules, next } = await api.read<Page>(key, `${path}?limit=${limit}${after}`);
      pages.push(schedules.map(({ id }) => id));
      if (next === null) break;
      after = `&after=${next}`;
    }
    expect(pages.flat()).toEqual(ids.toReversed());
    expect(pages).toHaveLength(Math.ceil(5 / limit));
  });

  test('keeps its order when schedules are added or removed between two pages', async () => {
    const { key, ids } = await api.accountWith('moving', 4);
    const first = await api.read<Page>(key, `${path}?limit=2`);
    await api.add(key, { name: 'later' });
    expect((await service().call('DELETE', `${path}/${ids[2] ?? ''}`, { key })).status).toBe(204);
    const second = await api.read<Page>(key, `${path}?limit=2&after=${first.next ?? ''}`);
    expect([...first.schedules, ...second.schedules].map(({ id }) => id)).toEqual(ids.toReversed());
  });

  test.each([
    'limit=0',
    'limit=101',
    'limit=many',
    'after=',
    'after=nonsense',
    `after=${noSuchSchedule}`,
    'after=%00',
    'state=active',
  ])('returns 400 for ?%s', async (query) => {
    expectBad(await service().call('GET', `${path}?${query}`, { key: await service().createKey() }));
  });

  test('returns 400 for a cursor at a schedule of another account', async () => {
    const { ids } = await api.accountWith('mine', 1);
    const { key } = await api.accountWith('theirs', 1);
    expectBad(await service().call('GET', `${path}?after=${ids[0] ?? ''}`, { key }));
  });
});

describe('GET /v1/schedules/{id}', () => {
  const service = useTestApi();
  const api = createSchedulesApi(service);

  test('accepts the name of a schedule, with any characters', async () => {
    for (const name of ['rivals', 'every night / all of them', '100 %', 'größte']) {
      const { key, schedule } = await api.added({ name });
      expect(await api.read(key, `${path}/${encodeURIComponent(name)}`)).toEqual(schedule);
    }
  });
});

describe('GET /v1/schedules/{id}/next', () => {
  const service = useTestApi();
  const api = createSchedulesApi(service);

  test('returns the next five times in UTC', async () => {
    const { key, id, schedule } = await api.added({ name: 'five', cron: '*/15 * * * *' });
    const { next } = await api.read<Times>(key, `${path}/${id}/next`);
    expect(next).toHaveLength(5);
    expect(next[0]).toBe(schedule['next_at']);
    for (const [i, at] of next.entries())
      expect(Date.parse(at) - Date.parse(next[0] ?? '')).toBe(i * 15 * 60_000);
  });

  test('keeps the local time of day across changes of daylight saving time', async () => {
    const { key, id } = await api.added({ name: 'saving', cron: '30 2 * * *', time_zone: 'Europe/Berlin' });
    const from = (day: string) => `${path}/${id}/next?count=3&from=${encodeURIComponent(day)}`;
    expect((await api.read<Times>(key, from('2026-03-28T00:00:00Z'))).next).toEqual([
      '2026-03-28T01:30:00.000Z',
      '2026-03-29T01:30:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
    expect((await api.read<Times>(key, from('2026-10-24T02:00:00+02:00'))).next).toEqual([
      '2026-10-24T00:30:00.000Z',
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
  });

  test('returns the same times in the time zone with their offsets', async () => {
    const { key, id } = await api.added({ name: 'local', cron: '30 2 * * *', time_zone: 'Europe/Berlin' });
    const from = encodeURIComponent('2026-10-24T02:00:00+02:00');
    expect((await api.read<Times>(key, `${path}/${id}/next?count=3&from=${from}`)).next_local).toEqual([
      '2026-10-24T02:30:00+02:00',
      '2026-10-25T02:30:00+02:00',
      '2026-10-26T02:30:00+01:00',
    ]);
  });

  test('returns the same five times as the schedule itself', async () => {
    const { key, id, schedule } = await api.added({ name: 'told', time_zone: 'America/St_Johns' });
    const { next, next_local: local } = await api.read<Times>(key, `${path}/${id}/next`);
    expect(schedule['next_local']).toEqual(local);
    expect(local.map((at) => new Date(at).toISOString())).toEqual(next);
  });

  test('excludes the time in from', async () => {
    const { key, id } = await api.added({ name: 'after', cron: '0 0 * * *' });
    const at = `${path}/${id}/next?count=1&from=2027-01-01T00:00:00Z`;
    expect(await api.read(key, at)).toEqual({
      next: ['2027-01-02T00:00:00.000Z'],
      next_local: ['2027-01-02T00:00:00+00:00'],
    });
  });

  test('returns up to a hundred times, also for the rarest pattern', async () => {
    const { key, id } = await api.added({ name: 'rare', cron: '0 0 29 2 */7' });
    const { next } = await api.read<Times>(key, `${path}/${id}/next?count=100`);
    expect(next).toHaveLength(100);
    for (const at of next) expect(new Date(at).getUTCDay()).toBe(0);
  });

  test.each([
    'count=0',
    'count=101',
    'count=x',
    'from=',
    'from=tomorrow',
    'from=2026-01-01',
    'from=2026-13-01T00:00:00Z',
    'from=9999-12-31T00:00:00Z',
    'from=1969-12-31T00:00:00Z',
    'limit=5',
  ])('returns 400 for ?%s', async (query) => {
    const { key, id } = await api.added({ name: `bad ${query}` });
    expectBad(await service().call('GET', `${path}/${id}/next?${query}`, { key }));
  });
});

describe('POST /v1/schedules/{id}/pause and resume', () => {
  const service = useTestApi();
  const api = createSchedulesApi(service);

  test('remove the next time of a schedule and restore it', async () => {
    const { key, id, schedule } = await api.added({ name: 'rest' });
    const paused = await service().call('POST', `${path}/${id}/pause`, { key });
    expect([paused.status, paused.json()]).toEqual([
      200,
      { ...schedule, state: 'paused', next_at: null, next_local: [] },
    ]);
    expect(await api.read(key, `${path}/${id}`)).toEqual(paused.json());
    const resumed = await service().call('POST', `${path}/${id}/resume`, { key });
    expect([resumed.status, resumed.json()]).toEqual([200, schedule]);
  });

  test('are idempotent', async () => {
    const { key, id } = await api.added({ name: 'twice' });
    for (const move of ['pause', 'pause', 'resume', 'resume'] as const) {
      const answer = await service().call('POST', `${path}/${id}/${move}`, { key });
      expect(answer.json()).toMatchObject({ state: move === 'pause' ? 'paused' : 'active' });
    }
  });

  test('do not change GET …/next', async () => {
    const { key, id } = await api.added({ name: 'would run' });
    await service().call('POST', `${path}/${id}/pause`, { key });
    expect((await api.read<Times>(key, `${path}/${id}/next?count=2`)).next).toHaveLength(2);
  });

  test.each(['pause', 'resume', 'run'])('%s rejects options', async (move) => {
    const { key, id } = await api.added({ name: `no options of ${move}` });
    expectBad(await service().call('POST', `${path}/${id}/${move}`, { key, json: { until: 'tomorrow' } }));
  });
});

describe('POST /v1/schedules/{id}/run and GET …/scans', () => {
  const service = useTestApi();
  const api = createSchedulesApi(service);

  test('return 201 with a manual scan in state waiting', async () => {
    const { key, id } = await api.added({ name: 'by hand' });
    const answer = await service().call('POST', `${path}/${id}/run`, { key });
    expect(answer.status).toBe(201);
    expect(answer.json()).toEqual({
      id: expect.stringMatching(/^scn_[0-9a-f]{32}$/) as string,
      state: 'waiting',
      reason: null,
      cause: 'manual',
      due_at: expect.stringMatching(instant) as string,
      ticks: 1,
      batch: null,
      begun_at: null,
      finished_at: null,
    });
    const nothingYet = {
      evaluated_at: null,
      companies: null,
      ads_active: null,
      changes: null,
      credits: null,
    };
    expect(await api.read(key, `${path}/${id}/scans`)).toEqual({
      scans: [{ ...(answer.json() as object), ...nothingYet }],
      next: null,
    });
    expect(await api.read(key, `${path}/${id}`)).toMatchObject({ last_scan: answer.json() });
  });

  test('return a started scan with its batch', async () => {
    const { key, id } = await api.added({ name: 'begins' });
    await service().call('POST', `${path}/${id}/run`, { key });
    await service().app.schedules.fire(id);
    const { scans } = await api.read<Scans>(key, `${path}/${id}/scans`);
    expect(scans).toMatchObject([{ state: 'running', begun_at: expect.stringMatching(instant) as string }]);
    const batch = await api.read(key, `/v1/batches/${scans[0]?.batch ?? ''}`);
    expect(batch).toMatchObject({ state: 'running', lookups: { total: 2 }, sources: ['sample'] });
  });

  test('reject a second scan while one is open and the policy is skip, with the reason', async () => {
    const { key, id } = await api.added({ name: 'skips' });
    expect((await service().call('POST', `${path}/${id}/run`, { key })).status).toBe(201);
    const second = await service().call('POST', `${path}/${id}/run`, { key });
    expect([second.status, codesOf(second)]).toEqual([409, ['conflict']]);
    expect((await api.read<Scans>(key, `${path}/${id}/scans`)).scans).toHaveLength(1);
  });

  test('make one scan with the same Idempotency-Key, and return the same bytes', async () => {
    const { key, id } = await api.added({ name: 'once', overlap: 'queue' });
    const headers = { 'Idempotency-Key': 'run-once' };
    const [first, again] = [
      await service().call('POST', `${path}/${id}/run`, { key, headers }),
      await service().call('POST', `${path}/${id}/run`, { key, headers }),
    ];
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await api.read<Scans>(key, `${path}/${id}/scans`)).scans).toHaveLength(1);
  });

  test('skip a scan that waited when its schedule was paused, with the reason', async () => {
    const { key, id } = await api.added({ name: 'paused while waiting' });
    await service().call('POST', `${path}/${id}/run`, { key });
    await service().call('POST', `${path}/${id}/pause`, { key });
    const { scans } = await api.read<Scans>(key, `${path}/${id}/scans`);
    expect(scans).toMatchObject([
      { state: 'skipped', batch: null, reason: expect.stringMatching(/./) as string },
    ]);
  });

  test.each([1, 2, 3, 4])('return every scan once, newest first, in pages of %i', async (limit) => {
    const { key, id } = await api.added({ name: `scans by ${limit}` });
    const made: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const scan = (await service().call('POST', `${path}/${id}/run`, { key })).json() as ScanOut;
      made.push(scan.id);
      // Skips the waiting scan, so that another one can start.
      await service().call('POST', `${path}/${id}/pause`, { key });
      await service().call('POST', `${path}/${id}/resume`, { key });
    }
    const found: string[] = [];
    for (let after = ''; ;) {
      const { scans, next } = await api.read<Scans>(key, `${path}/${id}/scans?limit=${limit}${after}`);
      found.push(...scans.map((scan) => scan.id));
      if (next === null) break;
      expect(scans).toHaveLength(limit);
      after = `&after=${next}`;
    }
    expect(found).toEqual(made.toReversed());
  });

  test.each(['limit=0', 'limit=101', 'after=', 'after=nonsense', 'state=running'])(
    'return 400 for ?%s',
    async (query) => {
      const { key, id } = await api.added({ name: `bad scans ${query}` });
      expectBad(await service().call('GET', `${path}/${id}/scans?${query}`, { key }));
    },
  );

  test('return 400 for a cursor at a scan of another schedule', async () => {
    const { key, id } = await api.added({ name: 'this one' });
    const other = await api.added({ name: 'that one' });
    const scan = (
      await service().call('POST', `${path}/${other.id}/run`, { key: other.key })
    ).json() as ScanOut;
    expectBad(await service().call('GET', `${path}/${id}/scans?after=${scan.id}`, { key }));
  });
});

describe('DELETE /v1/schedules/{id}', () => {
  const service = useTestApi();
  const api = createSchedulesApi(service);

  test('returns 204 without a body, and the schedule is gone from every operation', async () => {
    const { key, id } = await api.added({ name: 'removed' });
    const answer = await service().call('DELETE', `${path}/${id}`, { key });
    expect([answer.status, answer.text]).toEqual([204, '']);
    for (const [method, rest] of operations) {
      const after = await service().call(method, `${path}/${id}${rest}`, { key });
      expect([method, rest, after.status, codesOf(after)]).toEqual([method, rest, 404, ['not_found']]);
    }
    expect((await api.read<Page>(key, path)).schedules.map((each) => each.id)).not.toContain(id);
  });

  test('keeps the batches of its scans', async () => {
    const { key, id } = await api.added({ name: 'leaves its batches' });
    await service().call('POST', `${path}/${id}/run`, { key });
    await service().app.schedules.fire(id);
    const { scans } = await api.read<Scans>(key, `${path}/${id}/scans`);
    await service().call('DELETE', `${path}/${id}`, { key });
    expect(await api.read(key, `/v1/batches/${scans[0]?.batch ?? ''}`)).toMatchObject({ state: 'running' });
  });

  test('releases its name', async () => {
    const { key, id } = await api.added({ name: 'again' });
    await service().call('DELETE', `${path}/${id}`, { key });
    expect((await api.send(key, { name: 'again' })).status).toBe(201);
  });
});

/** Every operation on one schedule. */
const operations = [
  ['GET', ''],
  ['GET', '/next'],
  ['GET', '/scans'],
  ['PATCH', ''],
  ['POST', '/pause'],
  ['POST', '/resume'],
  ['POST', '/run'],
  ['DELETE', ''],
] as const;

describe('access to schedules', () => {
  const service = useTestApi();
  const api = createSchedulesApi(service);

  test.each(operations)('%s /v1/schedules/{id}%s returns 404 for an unknown id', async (method, rest) => {
    const key = await service().createKey();
    for (const id of [
      noSuchSchedule,
      'nonsense',
      '1',
      "x'--",
      '%E2%82%AC',
      '%zz',
      'a%00b',
      'x'.repeat(1000),
    ]) {
      const answer = await service().call(method, `${path}/${id}${rest}`, { key });
      expect([id, answer.status, codesOf(answer)]).toEqual([id, 404, ['not_found']]);
    }
  });

  test.each(operations)(
    '%s /v1/schedules/{id}%s returns 404 for a schedule of another account, also by name',
    async (method, rest) => {
      const name = `foreign to ${method}${rest}`;
      const { id, key: owner, schedule } = await api.added({ name });
      await service().createAccount(name);
      const key = await service().createKey({ account: name });
      for (const asked of [id, encodeURIComponent(name)]) {
        const answer = await service().call(method, `${path}/${asked}${rest}`, { key });
        expect([answer.status, codesOf(answer)]).toEqual([404, ['not_found']]);
      }
      expect(await api.read(owner, `${path}/${id}`)).toEqual(schedule);
    },
  );

  test.each(operations.filter(([method]) => method === 'GET'))(
    '%s /v1/schedules/{id}%s requires the scope batches:read',
    async (method, rest) => {
      const { id } = await api.added({ name: `read ${rest}` });
      await expectScope(method, `${path}/${id}${rest}`, 'batches:read');
    },
  );

  test.each(operations.filter(([method]) => method !== 'GET'))(
    '%s /v1/schedules/{id}%s requires the scope batches:write',
    async (method, rest) => {
      const { id } = await api.added({ name: `write ${method}${rest}` });
      await expectScope(method, `${path}/${id}${rest}`, 'batches:write');
    },
  );

  test('POST /v1/schedules requires the scope batches:write, and stores nothing without it', async () => {
    const json = { name: 'scoped', cron: '0 2 * * *', rows: [{ company_domain: 'nike.com' }] };
    const refused = await service().call('POST', path, { key: await keyWithout('batches:write'), json });
    expect([refused.status, codesOf(refused)]).toEqual([403, ['insufficient_scope']]);
    expect((await service().call('POST', path, { json })).status).toBe(401);
    const key = await service().createKey({ scopes: ['batches:write'] });
    expect((await service().call('POST', path, { key, json })).status).toBe(201);
  });

  test('every invariant holds', async () => {
    expect(await service().findings()).toEqual([]);
  });

  async function expectScope(method: string, at: string, scope: Scope): Promise<void> {
    const refused = await service().call(method, at, { key: await keyWithout(scope) });
    expect([refused.status, codesOf(refused)]).toEqual([403, ['insufficient_scope']]);
    expect((await service().call(method, at)).status).toBe(401);
    const allowed = await service().call(method, at, { key: await service().createKey({ scopes: [scope] }) });
    expect([200, 201, 204]).toContain(allowed.status);
  }

  async function keyWithout(scope: Scope): Promise<string> {
    const all: readonly Scope[] = [
      'ads:search',
      'email:validate',
      'credits:read',
      'batches:read',
      'batches:write',
      'admin',
    ];
    return service().createKey({ scopes: all.filter((each) => each !== scope) });
  }
});

interface Page {
  readonly schedules: readonly { readonly id: string }[];
  readonly next: string | null;
}

interface Times {
  readonly next_local: readonly string[];
  readonly next: readonly string[];
}

interface Scans {
  readonly scans: readonly ScanOut[];
  readonly next: string | null;
}

function expectBad(answer: Answer): void {
  expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
}
