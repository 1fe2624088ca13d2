import { platformId } from '../../../src/core/companies/platform-id.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findAccount } from '../../../db/stores/accounts/accounts.ts';
import { createChangeList } from '../../../db/stores/changes/change-list.ts';
import { NotFound } from '../../../src/core/errors.ts';
import { changeKinds, type ChangeKind } from '../../../src/core/changes/ad-change.ts';
import type { ChangePlace, ChangeFilter, ListedChange } from '../../../src/core/changes/change-list.ts';
import { createTestDatabase } from '../../support/db/database.ts';
import { openHistory, type FixtureHistory } from '../../support/scans/history-fixture.ts';
import { writeWeek } from '../../support/scans/week-fixture.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let accountId: number;
let run: FixtureHistory;
let scans: readonly string[];

beforeAll(async () => {
  database = await createTestDatabase();
  accountId = await findAccount(database.app.sql, 'default');
  run = await openHistory(database, { schedule: 'night' });
  scans = await writeWeek(run);
});

afterAll(() => database.close());

const everything: ChangeFilter = {
  ...{ schedule: null, kinds: changeKinds, format: null, companyKey: null, since: null },
  ...{ scan: null, day: null },
};

function list(filter: Partial<ChangeFilter> = {}, page: { limit?: number; after?: ChangePlace | null } = {}) {
  const { limit = 1000, after = null } = page;
  return createChangeList(database.app.sql).list(accountId, { ...everything, ...filter }, { limit, after });
}

/** Summarizes changes: the scan by its position in the week, the kind, and the ad. */
function summarize(changes: readonly ListedChange[]): readonly string[] {
  return changes.map(
    ({ scan, kind, ad }) => `${scans.indexOf(scan) + 1} ${kind} ${platformId(ad.creativeId ?? 'none')}`,
  );
}

test('change list has the newest scan first, and companies of a scan by key', async () => {
  expect(summarize(await list())).toEqual([
    '6 reactivated b',
    '4 ended b',
    '4 changed c',
    '3 ended p',
    '2 new c',
    '2 baseline p',
    '1 baseline a',
    '1 baseline b',
    '1 baseline old',
  ]);
});

test('change list has each change with the ad, its dates and its scans', async () => {
  const [change] = await list({ kinds: ['ended'], companyKey: 'd:nike.com' });
  expect(change).toMatchObject({
    schedule: 'night',
    scheduleId: run.publicId,
    scan: scans[3],
    companyKey: 'd:nike.com',
    kind: 'ended',
    reason: 'not_seen',
    ad: { creativeId: 'google:b', text: { headline: 'b, version 1' } },
    before: null,
    dueAt: new Date('2026-03-06T02:00:00Z'),
    timeZone: 'UTC',
    ranFrom: null,
    ranTo: '2026-03-03',
    restsOn: [scans[2], scans[3]],
    observedAt: new Date('2026-03-06T02:00:00Z'),
    createdAt: new Date('2026-03-06T03:00:00Z'),
  });
});

test.each([1, 2, 3, 8, 9, 10])(
  'change list returns every change once, in order, in pages of %i',
  async (limit) => {
    const pages: ListedChange[] = [];
    for (let after: ChangePlace | null = null; ;) {
      const page: readonly ListedChange[] = await list({}, { limit, after });
      pages.push(...page);
      after = page.at(-1)?.place ?? null;
      if (page.length < limit || pages.length > 20) break;
    }
    expect(pages).toEqual(await list());
  },
);

describe('filters of the change list', () => {
  const cases: readonly { by: string; filter: Partial<ChangeFilter>; gives: readonly string[] }[] = [
    { by: 'kind', filter: { kinds: ['new', 'changed'] }, gives: ['4 changed c', '2 new c'] },
    { by: 'company', filter: { companyKey: 'd:puma.com' }, gives: ['3 ended p', '2 baseline p'] },
    {
      by: 'detection time',
      filter: { since: { kind: 'time', at: new Date('2026-03-06T03:00:00Z') } },
      gives: ['6 reactivated b', '4 ended b', '4 changed c'],
    },
    { by: 'age', filter: { since: { kind: 'age', ageMs: 60_000 } }, gives: [] },
    {
      by: 'company and kind',
      filter: { companyKey: 'd:puma.com', kinds: null },
      gives: ['3 ended p'],
    },
  ];

  test.each(cases)('select by $by', async ({ filter, gives }) => {
    expect(summarize(await list(filter))).toEqual(gives);
  });

  test('select changes of the last hour by age', async () => {
    const own = await openHistory(database, { schedule: 'fresh' });
    const changes = [{ kind: 'baseline', reason: 'first_scan', ad: 'f', ranFrom: '2026-03-01' }] as const;
    await own.run({ day: '2026-03-01', knownAt: 'now', observations: { 'd:fresh.com': { changes } } });
    const fresh = await list({ since: { kind: 'age', ageMs: 3_600_000 } });
    expect(fresh.map(({ ad }) => ad.creativeId)).toEqual(['google:f']);
    await own.remove('now');
  });
});

test('a change after the retry of an old scan is found by the time of the retry', async () => {
  const own = await openHistory(database, { schedule: 'retried' });
  const found = (ad: string) =>
    [{ kind: 'baseline', reason: 'first_scan', ad, ranFrom: '2026-03-01' }] as const;
  await own.run({ day: '2026-03-01', observations: { 'd:one.com': { changes: found('x') } } });
  await own.retry(1, {
    day: '2026-03-01',
    knownAt: '2026-03-02T09:00:00Z',
    observations: { 'd:two.com': { changes: found('y') } },
  });
  const since = { kind: 'time', at: new Date('2026-03-02T00:00:00Z') } as const;
  expect((await list({ schedule: 'retried', since })).map(({ ad }) => ad.creativeId)).toEqual(['google:y']);
});

test('counts apply the filters', async () => {
  const count = (filter: Partial<ChangeFilter>) =>
    createChangeList(database.app.sql).count(accountId, { ...everything, schedule: 'night', ...filter });
  expect(await count({})).toEqual(
    new Map<ChangeKind, number>([
      ['baseline', 4],
      ['new', 1],
      ['reactivated', 1],
      ['ended', 2],
      ['changed', 1],
    ]),
  );
  expect(await count({ kinds: ['ended'], companyKey: 'd:puma.com' })).toEqual(new Map([['ended', 1]]));
});

describe('schedule in a filter', () => {
  test('is found by name and id', async () => {
    expect(await list({ schedule: run.publicId })).toEqual(await list({ schedule: 'night' }));
    expect((await list({ schedule: 'night' })).length).toBe(9);
  });

  test('that does not exist is an error, not an empty list', async () => {
    await expect(list({ schedule: 'morning' })).rejects.toThrow(NotFound);
  });

  test('that was removed is found by id only, because its name may be in use again', async () => {
    const old = await openHistory(database, { schedule: 'twice' });
    const changes = [{ kind: 'baseline', reason: 'first_scan', ad: 't', ranFrom: '2026-03-01' }] as const;
    await old.run({ day: '2026-03-01', observations: { 'd:nike.com': { changes } } });
    await old.remove('2026-03-02T00:00:00Z');
    await expect(list({ schedule: 'twice' })).rejects.toThrow(NotFound);
    await openHistory(database, { schedule: 'twice' });
    expect(await list({ schedule: 'twice' })).toEqual([]);
    expect((await list({ schedule: old.publicId })).map(({ ad }) => ad.creativeId)).toEqual(['google:t']);
  });

  test('of another account is unknown, with all its changes', async () => {
    await database.owner.pool.query(`INSERT INTO nightshift.accounts (name) VALUES ('other')`);
    const other = await openHistory(database, { schedule: 'theirs', account: 'other' });
    const changes = [{ kind: 'new', ad: 'secret', ranFrom: '2026-03-01' }] as const;
    await other.run({ day: '2026-03-01', observations: { 'd:nike.com': { changes } } });
    for (const schedule of ['theirs', other.publicId])
      await expect(list({ schedule })).rejects.toThrow(NotFound);
    expect((await list()).filter(({ ad }) => ad.creativeId === 'google:secret')).toEqual([]);
  });
});
