import { expect, test } from 'vitest';
import { createPurgeStore } from '../../../db/stores/purge/purge.ts';
import { countPurge, purge } from '../../../src/core/purge/purge.ts';
import { useRecord, type TestDatabase } from '../../support/db/database.ts';
import { buildPurgeFixture } from '../../support/db/purge-fixture.ts';
import { columnOf, dumpOf } from '../../support/db/record-dump.ts';
import { listFindings } from '../../support/db/findings.ts';

const scans = { orders: [{ kind: 'scans' as const, ageMs: 30 * 86_400_000 }] };
const history = ['scan_companies', 'ad_changes', 'tracked_companies', 'tracked_ad_rows'] as const;

const openRecord = useRecord(buildPurgeFixture);

/** Opens a data set that is 40 days old. */
async function open() {
  const { database, record } = await openRecord();
  return { database, record, store: createPurgeStore(database.app.sql, { sweepWaitMs: 20_000 }) };
}

function purgedFiles(database: TestDatabase) {
  return columnOf(
    database,
    'SELECT file_name FROM nightshift.batches WHERE purged_at IS NOT NULL ORDER BY 1',
  );
}

async function removeSchedule({ owner }: TestDatabase, scheduleId: number, daysAgo: number): Promise<void> {
  await owner.pool.query(
    `UPDATE nightshift.schedules SET state = 'removed', next_at = NULL, state_since = now() - $2 * interval '1 day' WHERE id = $1`,
    [scheduleId, daysAgo],
  );
}

test('purge keeps the last scan of every company of an active schedule, with its observations and changes', async () => {
  const { database, store } = await open();
  const before = await dumpOf(database, history);
  await purge(store, scans);
  expect(await purgedFiles(database)).toEqual(['scan-older.csv']);
  const marks = `SELECT purged_at IS NOT NULL FROM nightshift.scans ORDER BY id`;
  expect(await columnOf(database, marks)).toEqual(['true', 'false']);
  expect(await dumpOf(database, history)).toEqual(before);
  const unseen =
    'SELECT 1 FROM nightshift.ad_changes c LEFT JOIN nightshift.ad_versions v ON v.id = c.version_id WHERE v.id IS NULL';
  expect(await columnOf(database, unseen)).toEqual([]);
  expect(await listFindings(database)).toEqual([]);
});

test('purge keeps a scan that is not evaluated', async () => {
  const { database, record, store } = await open();
  await database.owner.pool.query('UPDATE nightshift.scans SET evaluated_at = NULL WHERE batch_id = $1', [
    record.scans.older.batchId,
  ]);
  const { kinds } = await purge(store, scans);
  expect(kinds[0]?.counts).toMatchObject({ scans: 0, rows: 0, lookups: 0 });
  expect(await purgedFiles(database)).toEqual([]);
});

test('purge of other kinds keeps all scans', async () => {
  const { database, store } = await open();
  await purge(store, { orders: [{ kind: 'batches', ageMs: 30 * 86_400_000 }] });
  expect(await purgedFiles(database)).toEqual(['finished.csv', 'others.csv']);
});

test('purge deletes all data of a removed schedule, its file last, and keeps the schedule itself', async () => {
  const { database, record, store } = await open();
  await removeSchedule(database, record.scans.scheduleId, 35);
  const would = await countPurge(store, scans);
  const { kinds, unseenAds } = await purge(store, scans);
  expect(kinds[0]?.counts).toEqual({ scans: 2, rows: 6, lookups: 6, ads: 3, schedules: 1, changes: 2 });
  expect(would.kinds[0]?.counts).toEqual(kinds[0]?.counts);
  expect(would.unseenAds).toEqual(unseenAds);
  expect(unseenAds).toEqual({ versions: 2, ads: 2 });
  expect(await dumpOf(database, history)).toEqual({
    scan_companies: [],
    ad_changes: [],
    tracked_companies: [],
    tracked_ad_rows: [],
  });
  const left = `SELECT jsonb_build_array(name, file_content, purged_at IS NOT NULL) FROM nightshift.schedules`;
  expect((await columnOf(database, left)).map((text) => JSON.parse(text ?? '') as unknown)).toEqual([
    ['rivals', '\\x', true],
  ]);
  expect(await columnOf(database, 'SELECT public_id FROM nightshift.scans ORDER BY 1')).toEqual([
    'scn_0',
    'scn_1',
  ]);
  expect(await listFindings(database)).toEqual([]);
});

test('purge deletes only the scans of a recently removed schedule', async () => {
  const { database, record, store } = await open();
  await removeSchedule(database, record.scans.scheduleId, 5);
  const before = await dumpOf(database, history);
  const { kinds } = await purge(store, scans);
  expect(kinds[0]?.counts).toMatchObject({ scans: 2, schedules: 0, changes: 0 });
  expect(await dumpOf(database, history)).toEqual(before);
});
