import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { failpoints } from '../../src/core/failpoint.ts';
import { openTestDatabase, type TestDatabase } from '../support/db/database.ts';
import { useCrashingNightshift } from '../support/crash/crashing-nightshift.ts';
import { spawnNightshift } from '../support/cli/nightshift-process.ts';
import {
  adOf,
  failedLookup,
  foundAds,
  noAds,
  openTestScans,
  scanDay,
} from '../support/scans/evaluation-fixture.ts';

const crashing = useCrashingNightshift();

const points = failpoints.evaluation;

test.each(points)('a process killed at %s still evaluates and reports every scan once', async (point) => {
  const database = await openTestDatabase();
  const api = await runHistory(database);
  const environment = { DATABASE_URL: database.url, PORT: '0' };
  const folder = mkdtempSync(join(tmpdir(), 'nightshift-crash-'));

  const crashed = await crashing.run(['up'], { environment, folder, point });
  expect(crashed.signal, crashed.stderr).toBe('SIGKILL');
  const going = spawnNightshift(['up'], environment, { folder });
  onTestFinished(() => going.kill());
  while ((await api.query(`SELECT FROM nightshift.scans WHERE evaluated_at IS NULL`)).length > 0)
    await new Promise((resolve) => setTimeout(resolve, 50));
  await going.stop();

  const undisturbed = await runHistory(await openTestDatabase());
  await undisturbed.evaluate();
  expect(await reported(api)).toEqual(await reported(undisturbed));
  expect(await api.findings()).toEqual([]);
});

/** Builds four unevaluated scans of two companies, with every kind of change. */
async function runHistory(database: TestDatabase) {
  const api = await openTestScans(database);
  const schedule = await api.addSchedule('rivals', ['acme.com', 'globex.com'], { missesToEnd: 1 });
  const runs = [
    { 'acme.com': foundAds(['a', 'b']), 'globex.com': foundAds(['g']) },
    { 'acme.com': foundAds(['a', adOf('c', { start: scanDay(1) })]), 'globex.com': failedLookup },
    { 'acme.com': foundAds([adOf('a', { format: 'Image' }), 'b']), 'globex.com': noAds() },
    { 'acme.com': foundAds(['a']), 'globex.com': noAds() },
  ];
  for (const [day, answers] of runs.entries()) await api.runScan(schedule, day, answers);
  return api;
}

/** Stored changes and events, without what differs between databases. */
async function reported(api: Awaited<ReturnType<typeof runHistory>>) {
  const changes = await api.query(
    `SELECT scan_id, company_key, i.creative_id, kind, reason, is_active, rests_on FROM nightshift.ad_changes c
    JOIN nightshift.ads i ON i.id = c.ad_id ORDER BY scan_id, company_key, i.creative_id`,
  );
  const companies = await api.query(
    `SELECT scan_id, company_key, completeness, ads_active FROM nightshift.scan_companies ORDER BY 1, 2`,
  );
  const events = await api.events();
  return {
    changes,
    companies,
    events: events.map(({ payload }) => [payload['changes'], payload['companies'], payload['top']]),
  };
}
