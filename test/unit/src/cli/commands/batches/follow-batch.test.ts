import { expect, test } from 'vitest';
import { progressText } from '../../../../../../src/cli/commands/batches/follow-batch.ts';
import { batchText } from '../../../../../../src/cli/commands/batches/batch-view.ts';
import { anySearch } from '../../../../../../src/core/ads/ads-answer.ts';
import { noBounds, type BatchSummary } from '../../../../../../src/core/batches/batch.ts';

const batch: BatchSummary = {
  batchId: 1,
  publicId: 'bat_1',
  accountId: 1,
  fileName: 'list.csv',
  sheet: null,
  delimiter: null,
  state: 'running',
  stateReason: null,
  waitKind: null,
  waitUntil: null,
  wait: null,
  operations: ['ads_search'],
  sources: ['upstream'],
  rows: { total: 2000, rejected: 0 },
  lookups: {
    total: 2000,
    found: 1000,
    none: 200,
    no_match: 0,
    completed: 0,
    failed: 0,
    cancelled: 0,
    open: 800,
  },
  emails: { total: 0, valid: 0, invalid: 0, catch_all: 0, unknown: 0 },
  adsTruncated: 0,
  chargedMicro: 200_000_000n,
  ceilingMicro: 400_000_000n,
  bounds: noBounds,
  isLimitReached: false,
  createdAt: new Date(0),
  finishedAt: null,
  purgedAt: null,
  name: 'list.csv',
  origin: null,
  owner: null,
  tags: [],
  archivedAt: null,
  search: anySearch,
};

test('progress shows counts, cost and rate of a batch', () => {
  expect(progressText(batch, '10/s, 80 s left')).toBe(
    '1,200 of 2,000 companies, 1,000 with ads, 200 credits so far, 10/s, 80 s left',
  );
});

test('progress shows the reason of a waiting batch instead of its rate', () => {
  const stateReason = 'upstream gives no answer';
  const waiting = {
    ...batch,
    state: 'waiting_for_source',
    stateReason,
    waitKind: 'failing',
    wait: { cause: 'circuit_breaker', bound: null, source: null, reason: stateReason, until: null },
  } satisfies BatchSummary;
  expect(progressText(waiting, '10/s, 80 s left')).toBe(
    '1,200 of 2,000 companies, 1,000 with ads, 200 credits so far, waiting (circuit breaker): upstream gives no answer',
  );
});

test('progress shows the cause of a throttled source beside the rate', () => {
  const until = new Date('2100-01-01T00:00:00Z');
  const wait = { cause: 'rate_limit', bound: null, source: 'upstream', reason: 'HTTP 429', until } as const;
  expect(progressText({ ...batch, wait }, '10/s')).toBe(
    '1,200 of 2,000 companies, 1,000 with ads, 200 credits so far, 10/s, waiting (rate limit of the source): HTTP 429, until 2100-01-01 00:00 UTC',
  );
});

test('a batch names the cause of its wait, without its reason a second time', () => {
  const wait = { cause: 'day_spend', bound: '5 USD', source: null, reason: 'spent', until: null } as const;
  const text = batchText({ ...batch, state: 'waiting_for_source', stateReason: 'spent', wait });
  expect(text).toContain('State      waiting_for_source: spent\nSource     waiting (daily cap of 5 USD)\n');
});

test('a batch is shown with thousands separators', () => {
  expect(batchText({ ...batch, chargedMicro: 12_345_600_000n, ceilingMicro: 400_000_000_000n })).toBe(
    [
      'Batch      bat_1  (list.csv)',
      'State      running',
      'Rows       2,000, of which 0 rejected',
      'Companies  2,000: 1,000 found, 200 without ads, 0 not identified, 0 failed, 800 open',
      'Credits    12,345.6 charged (at most 400,000)',
    ].join('\n'),
  );
});

test('a batch of a workbook is shown with its sheet', () => {
  expect(batchText({ ...batch, fileName: 'leads.xlsx', sheet: 'Old\u001b[2J' })).toContain(
    'Batch      bat_1  (leads.xlsx, sheet "Old[U+001B][2J")\n',
  );
});
