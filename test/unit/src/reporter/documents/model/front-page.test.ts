import { describe, expect, test } from 'vitest';
import type { BatchData } from '../../../../../../src/core/reports/batch-data.ts';
import type { ScheduleData } from '../../../../../../src/core/reports/schedule-data.ts';
import {
  batchFrontPage,
  scheduleFrontPage,
} from '../../../../../../src/reporter/documents/model/front-page.ts';
import { batchFixture, scheduleFixture } from '../../../../../support/reports/report-fixture.ts';

const eight = Array.from({ length: 8 }, (_, i) => `company ${i}`);
const schedule = scheduleFixture({ texts: eight });
const batch: BatchData = { ...batchFixture({ texts: eight }), outcomes: new Map([['found', 8]]) };
const none = { rows: [], total: 0 };
const nothing = { new: 0, reactivated: 0, changed: 0, ended: 0 };
const firstPage = { week: { from: '2026-02-24', to: '2026-03-02' }, moves: none };

function ofSchedule(changed: Partial<ScheduleData>, highlights: Partial<ScheduleData['highlights']> = {}) {
  const data = { ...schedule, failures: null, scans: none, ...changed };
  return scheduleFrontPage({ ...data, highlights: { ...data.highlights, ...highlights } });
}

function ofBatch(changed: Partial<BatchData>, highlights: Partial<BatchData['highlights']> = {}) {
  const data = { ...batch, ...changed };
  return batchFrontPage({ ...data, highlights: { ...data.highlights, ...highlights } });
}

describe('first page of a schedule', () => {
  test('counts the changes of the last seven days only, and names new and ended ads always', () => {
    const days = [
      { day: '2026-02-20', ...nothing, new: 100 },
      { day: '2026-02-24', ...nothing, new: 11, changed: 2 },
      { day: '2026-03-02', ...nothing, new: 1, reactivated: 1 },
    ];
    const { sentences, week, period } = ofSchedule({ days }, { withoutAds: 2, unconfirmed: 1 });
    expect(sentences).toEqual([
      '12 ads are new, 1 ad is back, no ad ended and 2 ads changed, at 5 companies.',
      '8 ads are active at 6 of 8 companies; 2 companies are without ads (1 to be confirmed by the next scan).',
    ]);
    expect([week, period]).toEqual(['24 Feb to 2 Mar 2026', '1 Feb to 2 Mar 2026']);
  });

  test('without changes says that nothing is new, and shows the companies and ads that remain', () => {
    const page = ofSchedule({ days: [], changes: none }, firstPage);
    expect(page.sentences[0]).toBe('Nothing is new: no ad began, ended or changed.');
    expect(page.movers).toMatchObject({ title: 'Companies with the most ads' });
    expect(page.movers?.items[0]).toMatchObject({ figure: '8 ads', note: null });
    expect(page.creatives).toMatchObject({ title: 'Longest-running ads' });
  });

  test('with one scan says that comparison begins with the second', () => {
    const page = ofSchedule({ days: [], changes: none }, { ...firstPage, scansEvaluated: 1 });
    expect(page.sentences[0]).toContain('comparison begins with the second scan');
    expect(page.sentences[1]).toBe('8 ads are active at 8 of 8 companies.');
  });

  test('without a finished scan, and after a purge, has one sentence', () => {
    const empty = { window: null, companies: none, changes: none, longest: [], days: [] };
    const before = ofSchedule(empty, { week: null, scansEvaluated: 0, moves: none });
    expect(before.sentences).toEqual(['No scan has finished yet. Comparison begins with the second scan.']);
    expect([before.movers, before.creatives, before.week, before.period]).toEqual([null, null, null, null]);
    const purgedAt = new Date('2026-03-01T04:00:00Z');
    const purged = ofSchedule({ ...empty, schedule: { ...schedule.schedule, purgedAt } });
    expect(purged.sentences).toEqual(['The history of this schedule was purged on 2026-03-01.']);
  });

  test('says what the newest scan leaves unknown', () => {
    const [scan] = scheduleFixture({ texts: ['x'] }).scans.rows;
    if (scan === undefined) throw new Error('The fixture has a scan.');
    const running = { ...scan, batch: 'bat_1', state: 'running' as const };
    const failed = { ...scan, batch: 'bat_1', state: 'finished' as const, isEvaluated: true };
    const lastOf = (page: ReturnType<typeof ofSchedule>) => page.sentences.at(-1);
    expect(lastOf(ofSchedule({ scans: { rows: [running], total: 1 } }))).toBe(
      'The newest scan is not compared yet: its changes are not included.',
    );
    expect(lastOf(ofSchedule({ scans: { rows: [failed], total: 1 }, failures: schedule.failures }))).toBe(
      '8 companies have no result in the newest scan: their changes are unknown.',
    );
    expect(lastOf(ofSchedule({ schedule: { ...schedule.schedule, companies: 9 } }))).toBe(
      '1 company has no result yet.',
    );
  });

  test('has the companies with the largest change, with what it consists of', () => {
    const [company] = batch.companies.rows;
    if (company === undefined) throw new Error('The fixture has a company.');
    const move = (changes: object) => ({
      company: company.company,
      adsActive: 30,
      changes: { ...nothing, ...changes },
    });
    const rows = [
      move({ new: 9, ended: 1 }),
      move({ ended: 1200 }),
      move({ new: 1, ended: 1 }),
      move({ changed: 4 }),
    ];
    const { movers } = ofSchedule({}, { moves: { rows, total: 4 } });
    expect(movers?.title).toBe('Top movers');
    expect(movers?.items.map(({ figure, note }) => [figure, note])).toEqual([
      ['+8', '9 new, 1 ended, 30 active now'],
      ['−1,200', '1,200 ended, 30 active now'],
      ['±0', '1 new, 1 ended, 30 active now'],
    ]);
  });

  test('has six ads of the week that are new or back, of different companies first', () => {
    const [change] = schedule.changes.rows;
    if (change === undefined) throw new Error('The fixture has a change.');
    const begun = (key: string, kind: 'new' | 'reactivated' | 'ended', at = '2026-03-01') => ({
      ...change,
      kind,
      observedAt: new Date(`${at}T02:00:00Z`),
      company: { key, domain: null, name: key },
    });
    const rows = [
      ...Array.from({ length: 5 }, () => begun('a', 'new')),
      begun('b', 'reactivated'),
      begun('c', 'ended'),
      begun('d', 'new'),
      begun('e', 'new', '2026-02-20'),
    ];
    const { creatives } = ofSchedule({ changes: { rows, total: rows.length } });
    expect(creatives?.title).toBe('New ads');
    expect(creatives?.items.map(({ company }) => company.key)).toEqual(['a', 'a', 'a', 'a', 'b', 'd']);
  });
});

describe('first page of a batch', () => {
  test('counts ads that began in the last seven days, and says that ended ads are unknown', () => {
    const outcomes = new Map([
      ['found', 8],
      ['none', 2],
      ['no_match', 1],
      ['open', 1],
    ] as const);
    const data = { outcomes, companies: { rows: batch.companies.rows, total: 12 } };
    const page = ofBatch(data, { adsBegun: 3, companiesBegun: 1, adsUndated: 1 });
    expect(page.sentences).toEqual([
      'Of 8 ads at 8 of 12 companies, 3 began in the last 7 days, at 1 company.',
      '2 companies are without ads, 1 was not identified and 1 is open.',
      'Ended ads are unknown: this batch has no earlier scan to compare with. 1 ad has no known first day.',
    ]);
    expect(page.movers?.title).toBe('Companies with the most ads');
    expect(page.creatives).toMatchObject({ title: 'Newest ads' });
    expect(page.creatives?.items).toHaveLength(6);
  });

  test('of ads without dates says that new ads are unknown, and shows ads nevertheless', () => {
    const page = ofBatch({}, { adsUndated: 8, newest: [] });
    expect(page.sentences).toEqual([
      '8 ads were found at 8 of 8 companies.',
      'Ended ads are unknown: this batch has no earlier scan to compare with. The source gives no first days, so new ads are unknown.',
    ]);
    expect(page.creatives?.title).toBe('Ads');
  });

  test('of addresses has their verdicts and no ads', () => {
    const { summary } = batch;
    const emails = { total: 9, valid: 5, invalid: 1, catch_all: 0, unknown: 2 };
    const mails = { ...summary, operations: ['email_validation'] as const, emails };
    const lookups = { ...summary.lookups, total: 9, found: 0, completed: 8, open: 1 };
    const page = ofBatch(
      {
        summary: { ...mails, lookups },
        ads: none,
        companies: none,
        mostAds: [],
        outcomes: new Map(),
      },
      { newest: [] },
    );
    expect(page).toMatchObject({ movers: null, creatives: null, week: null });
    expect(page.sentences).toEqual([
      'This batch validates e-mail addresses. It has no ads.',
      'Of 9 addresses, 5 are valid, 1 is invalid and 2 are unknown.',
      '1 address has no verdict.',
    ]);
  });

  test('of a purged batch has its counts', () => {
    const purgedAt = new Date('2026-03-01T04:00:00Z');
    const page = ofBatch(
      { summary: { ...batch.summary, purgedAt }, ads: none, mostAds: [], outcomes: new Map() },
      { newest: [] },
    );
    expect(page.sentences).toEqual([
      'This batch was purged on 2026-03-01: its rows and results are deleted.',
      'It had 8 companies, 8 of them with ads. Its counts and charges remain.',
    ]);
    expect(page).toMatchObject({ movers: null, creatives: null, week: null });
  });

  test('of a scan compares it with the scan before', () => {
    const [row] = schedule.highlights.moves.rows;
    if (row === undefined) throw new Error('The fixture has a move.');
    const scan = {
      isEvaluated: true,
      isFirst: false,
      changes: { ...nothing, new: 1, ended: 2 },
      moves: { rows: [row], total: 1 },
    };
    const compared = ofBatch({}, { scan });
    expect(compared.sentences).toEqual(['1 ad is new and 2 ads ended since the scan before.']);
    expect([compared.movers?.title, compared.week]).toEqual(['Top movers', null]);
    const same = ofBatch({}, { scan: { ...scan, changes: nothing, moves: none } });
    expect(same.sentences).toEqual(['Nothing is new: no ad began, ended or changed since the scan before.']);
    const first = ofBatch({}, { scan: { ...scan, isFirst: true } });
    expect(first.sentences.at(-1)).toContain('comparison begins with the second scan');
    expect(first.movers?.title).toBe('Companies with the most ads');
    const early = ofBatch({}, { scan: { ...scan, isEvaluated: false } });
    expect(early.sentences.at(-1)).toContain('until this scan is compared with the one before');
  });
});
