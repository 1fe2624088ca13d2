import { expect, test } from 'vitest';
import { createActivityReader, missingMailWarning } from '../../../../../src/cli/process/show-activity.ts';
import type {
  FailedDelivery,
  RecentLanding,
  RecentScan,
} from '../../../../../src/core/work/service-activity.ts';

const running: RecentScan = {
  scan: 'scn_1',
  batch: 'bat_1',
  schedule: 'every-night',
  begunAt: new Date('2026-03-05T02:00:00Z'),
  ended: null,
};
const finished: RecentScan = {
  ...running,
  ended: { state: 'finished', at: new Date('2026-03-05T02:01:00Z'), changes: { ended: 1, new: 1200 } },
};
const failure: FailedDelivery = {
  eventId: 'evt_1',
  event: 'scan.changes',
  webhook: 'crm',
  attempts: 1,
  error: 'crm.example.com answered 500',
  nextAt: new Date('2026-03-05T02:02:00Z'),
};

test('activity reader returns each start, end and failure once, and nothing from before its first call', async () => {
  let now: readonly [RecentScan[], FailedDelivery[]] = [[running], []];
  const readNew = createActivityReader(() =>
    Promise.resolve({ scans: now[0], landings: [], failures: now[1] }),
  );
  expect(await readNew()).toEqual([]);
  now = [[finished, { ...running, scan: 'scn_2', batch: 'bat_2', schedule: 'other\u001b' }], [failure]];
  expect(await readNew()).toEqual([
    'Scan of every-night finished: bat_1, 1,200 new, 1 ended',
    'Scan of other[U+001B] started: bat_2',
    'Delivery of scan.changes to the webhook crm failed: crm.example.com answered 500. Next attempt at 2026-03-05 02:02 UTC.',
  ]);
  expect(await readNew()).toEqual([]);
  now = [[finished], [{ ...failure, attempts: 2, nextAt: null }]];
  expect(await readNew()).toEqual([
    'Delivery of scan.changes to the webhook crm failed: crm.example.com answered 500. No more attempts.',
  ]);
});

test('a landing that ends or fails is reported once', async () => {
  const failed: RecentLanding = {
    batch: 'bat_1',
    destination: 'lake',
    shape: 'rows',
    contentKey: 'bat_1 rows 1',
    attempts: 1,
    rows: null,
    error: 'The bucket rejects the key.',
    nextAt: new Date('2026-03-05T02:02:00Z'),
  };
  let landings: readonly RecentLanding[] = [];
  const readNew = createActivityReader(() => Promise.resolve({ scans: [], landings, failures: [] }));
  await readNew();
  landings = [failed];
  expect(await readNew()).toEqual([
    'Landing in lake failed: rows of bat_1: The bucket rejects the key. Next attempt at 2026-03-05 02:02 UTC.',
  ]);
  landings = [{ ...failed, attempts: 2, rows: 1200, error: null, nextAt: null }];
  expect(await readNew()).toEqual(['Landed in lake: rows of bat_1, 1,200 lines']);
  expect(await readNew()).toEqual([]);
});

test('a scan without changes is reported as such', async () => {
  const scans = [running];
  const readNew = createActivityReader(() => Promise.resolve({ scans, landings: [], failures: [] }));
  await readNew();
  scans[0] = { ...finished, ended: { state: 'cancelled', at: new Date(), changes: {} } };
  expect(await readNew()).toEqual(['Scan of every-night cancelled: bat_1, no changes']);
});

test.each([
  [0, null],
  [1, 'Warning: 1 webhook sends mail, but NIGHTSHIFT_SMTP_URL is not set.'],
  [2, 'Warning: 2 webhooks send mail, but NIGHTSHIFT_SMTP_URL is not set.'],
])('warning about %i webhooks that send mail without a mail server', (webhooks, warning) => {
  expect(missingMailWarning(webhooks)).toBe(warning);
});
