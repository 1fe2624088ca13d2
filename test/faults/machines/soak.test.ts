import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readNightshift, startNightshift, type Environment } from '../../support/cli/nightshift-process.ts';
import { ageRecord } from '../../support/db/age-record.ts';
import type { TestDatabase } from '../../support/db/database.ts';
import { expectInvariants } from '../../support/faults/batch-audit.ts';
import { listCompanies, listFile } from '../../support/faults/listed-companies.ts';
import { temporaryFolder } from '../../support/faults/loaded-batch.ts';
import { openLoggedSource } from '../../support/faults/logged-source.ts';
import { recordFigures } from '../../support/faults/proof-figures.ts';
import { runsAll, runsFull } from '../../support/faults/random-runs.ts';
import { openOwnPostgres } from '../../support/storm/own-postgres.ts';
import { faultWaitMsMax } from '../../support/wait-bound.ts';

/** About half an hour at full size. The first quarter fills caches, pools and the days that a purge leaves. */
const size = runsFull ? { days: 100, rows: 1000 } : { days: runsAll ? 8 : 4, rows: 40 };
const keptDays = 2;
const testMsMax = runsFull ? 10_800_000 : 1_200_000;

/** Growth from the second quarter of the days to the last one that is no leak: a cycle of the garbage collector, a page. */
const memoryGrowthMax = runsFull ? 1.2 : 1.5;
/** Connections to the source and to the server close after some seconds, so a few samples differ by all of them. */
const handlesGrowthMax = runsFull ? 3 : 40;
const tableGrowthMax = 1.2;
const tableBytesMin = 1024 ** 2;
/** Growth of the tables that a purge leaves as they are: batches of a day, and a proof of payment for each lookup. */
const keptBytesPerDayMax = 50_000 + 200 * size.rows;
const diskBytesMax = 2 * 1024 ** 3;

/** Tables that a purge leaves as they are, with some kilobytes for each day: proofs of payment, and the batches themselves. */
const keptTables = ['ledger_entries', 'ledger_blocks', 'batches', 'chunks', 'purged_lookups', 'scans'];

/** State of a process and its server after a day. */
interface Sample {
  readonly memoryMb: number;
  readonly handles: number;
  readonly connections: number;
  /** Bytes of the tables that a purge empties. */
  readonly tableBytes: number;
  readonly keptBytes: number;
  /** Bytes of the database with its WAL. */
  readonly diskBytes: number;
}

test(
  `memory, connections, file handles and tables stay as they are over ${size.days} days of one process`,
  { timeout: testMsMax },
  async () => {
    const { database } = await openOwnPostgres();
    const standIn = await openLoggedSource({ min: 5, max: 50 });
    const environment = {
      DATABASE_URL: database.url,
      PORT: '0',
      NIGHTSHIFT_UPSTREAM_URL: standIn.url,
      NIGHTSHIFT_UPSTREAM_KEY: standIn.key,
      NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '1000',
      NIGHTSHIFT_UPSTREAM_BURST: '200',
      NIGHTSHIFT_OPENING_CREDITS: '1000000',
    };
    const folder = temporaryFolder();
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    await addSchedule(folder, environment);
    const up = startNightshift(['up'], environment);
    await up.waitForOutput('Press Ctrl-C to stop');
    const samples: Sample[] = [];
    for (let day = 1; day <= size.days; day += 1) {
      await passDay(day, { folder, environment, database });
      samples.push(await takeSample(up.pid, database));
    }
    report(samples);
    expectFlat(samples);
    await expectInvariants(environment);
    expect((await up.stop()).exitCode).toBe(0);
  },
);

/** Surroundings of a day. */
interface Place {
  readonly folder: string;
  readonly environment: Environment;
  readonly database: TestDatabase;
}

async function addSchedule(folder: string, environment: Environment): Promise<void> {
  writeFileSync(join(folder, 'rivals.csv'), 'website\ncompany-1.com\ncompany-2.com\ncompany-3.com\n');
  // The test makes the ticks: the next day comes when the record has become a day older.
  const terms = ['--companies', 'rivals.csv', '--cron', '0 2 * * *', '--tz', 'UTC', '--source', 'upstream'];
  await readNightshift(['schedule', 'add', 'every-day', ...terms], environment, { folder });
}

/**
 * A list is looked up and exported, a schedule has a scan, and what is older than two days is purged. Then the record becomes a day older.
 * So a day passes without a change of the clocks of processes and servers, which must agree.
 */
async function passDay(day: number, { folder, environment, database }: Place): Promise<void> {
  const file = join(folder, 'list.csv');
  writeFileSync(file, listFile(listCompanies(size.rows, `soak-${day}`)));
  const { id } = (await readNightshift(['load', file], environment)) as { id: string };
  await readNightshift(['schedule', 'run', 'every-day'], environment);
  await vi.waitUntil(async () => (await countOpenBatches(database)) === 0, {
    timeout: faultWaitMsMax,
    interval: 100,
  });
  await readNightshift(['export', id, '-o', join(folder, `results-${day % 2}.csv`)], environment);
  await ageRecord(database, 1);
  await readNightshift(['purge', '--older-than', `${keptDays}d`], environment);
}

async function countOpenBatches({ owner }: TestDatabase): Promise<number> {
  const { rows } = await owner.sql.execute<{ open: number }>(
    sql`SELECT count(*)::integer AS open FROM nightshift.batches WHERE finished_at IS NULL`,
  );
  return rows[0]?.open ?? 0;
}

async function takeSample(pid: number, { owner }: TestDatabase): Promise<Sample> {
  const kept = sql.join(
    keptTables.map((name) => sql`${name}`),
    sql`, `,
  );
  const { rows } = await owner.sql.execute<Omit<Sample, 'memoryMb' | 'handles'>>(
    sql`SELECT
      (SELECT count(*)::integer FROM pg_stat_activity WHERE application_name LIKE 'nightshift%') AS connections,
      sum(pg_total_relation_size(relid)) FILTER (WHERE relname NOT IN (${kept}))::float8 AS "tableBytes",
      sum(pg_total_relation_size(relid)) FILTER (WHERE relname IN (${kept}))::float8 AS "keptBytes",
      (pg_database_size(current_database()) + (SELECT sum(size) FROM pg_ls_waldir()))::float8 AS "diskBytes"
      FROM pg_stat_user_tables WHERE schemaname IN ('nightshift', 'bullmq')`,
  );
  const { connections = 0, tableBytes = 0, keptBytes = 0, diskBytes = 0 } = rows[0] ?? {};
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const memoryMb = Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  return {
    memoryMb,
    handles: readdirSync(`/proc/${pid}/fd`).length,
    connections,
    tableBytes,
    keptBytes,
    diskBytes,
  };
}

/** Compares the second quarter with the last one, each by its median: one day may do housekeeping. */
function expectFlat(samples: readonly Sample[]): void {
  const [early, late] = [medianOf(samples, 1), medianOf(samples, 3)];
  expect(late('memoryMb'), 'memory in MB').toBeLessThan(memoryGrowthMax * early('memoryMb'));
  const [earlyLeast, lateLeast] = [leastOf(samples, 1), leastOf(samples, 3)];
  expect(lateLeast('handles'), 'file handles').toBeLessThanOrEqual(earlyLeast('handles') + handlesGrowthMax);
  expect(lateLeast('connections'), 'connections').toBeLessThanOrEqual(
    earlyLeast('connections') + handlesGrowthMax,
  );
  expect(late('tableBytes'), 'bytes of tables').toBeLessThan(
    tableGrowthMax * early('tableBytes') + tableBytesMin,
  );
  const keptPerDay = (late('keptBytes') - early('keptBytes')) / (samples.length / 2);
  expect(keptPerDay, 'bytes a day of kept tables').toBeLessThan(keptBytesPerDayMax);
  expect(Math.max(...samples.map(({ diskBytes }) => diskBytes)), 'bytes on disk').toBeLessThan(diskBytesMax);
}

function medianOf(samples: readonly Sample[], quarter: number): (field: keyof Sample) => number {
  return (field) => {
    const sorted = sortedOf(samples, quarter, field);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  };
}

function leastOf(samples: readonly Sample[], quarter: number): (field: keyof Sample) => number {
  return (field) => sortedOf(samples, quarter, field)[0] ?? 0;
}

function sortedOf(samples: readonly Sample[], quarter: number, field: keyof Sample): readonly number[] {
  const [from, to] = [quarter, quarter + 1].map((n) => Math.floor((samples.length * n) / 4));
  return samples
    .slice(from, to)
    .map((sample) => sample[field])
    .sort((a, b) => a - b);
}

function report(samples: readonly Sample[]): void {
  const quarters = [0, 1, 2, 3].map((quarter) => medianOf(samples, quarter));
  const each = (field: keyof Sample, unit = 1) =>
    quarters.map((median) => Math.round(median(field) / unit)).join(', ');
  recordFigures(`${size.days} days, medians of each quarter`, {
    'MB of memory': each('memoryMb'),
    'file handles': each('handles'),
    connections: each('connections'),
    'kB of tables that a purge empties': each('tableBytes', 1024),
    'kB of tables that it leaves': each('keptBytes', 1024),
    'kB on disk': each('diskBytes', 1024),
  });
}
