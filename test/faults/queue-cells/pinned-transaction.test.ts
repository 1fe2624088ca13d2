import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import type { TestDatabase } from '../../support/db/database.ts';
import { pinSnapshot } from '../../support/faults/pin-snapshot.ts';
import { expectInvariants } from '../../support/faults/batch-audit.ts';
import { listCompanies } from '../../support/faults/listed-companies.ts';
import { openBatchRun } from '../../support/faults/loaded-batch.ts';
import { openLoggedSource } from '../../support/faults/logged-source.ts';
import { recordFigures } from '../../support/faults/proof-figures.ts';
import { runsFull } from '../../support/faults/random-runs.ts';
import { openServersOnPostgres } from '../../support/storm/storm-servers.ts';
import { countDone } from '../../support/storm/progress.ts';
import { startWorkers } from '../../support/storm/worker-pool.ts';
import { faultWaitMsMax } from '../../support/wait-bound.ts';

/** An hour at full size. */
const size = runsFull ? { requestsPerSecond: 50, seconds: 3600 } : { requestsPerSecond: 40, seconds: 10 };
const lookupsWanted = size.requestsPerSecond * size.seconds;
const quarters = 4;

/** Bounds: the tables grow with the work, never faster. A short run has more dead rows and bytes for each lookup. */
const deadPerLookupMax = runsFull ? 4 : 12;
const bytesPerLookupMax = runsFull ? 1024 : 8192;
/** First pages of the tables and their indexes, and the window of the queue. */
const bytesAtStartMax = 4 * 1024 ** 2;
/** Housekeeping rewrites these tables when they have grown: twice the size at which it does, with what a minute adds. */
const rewrittenBytesMax = { 'nightshift.source_buckets': 2 * 1024 ** 2, 'bullmq.job': 24 * 1024 ** 2 };

/** Work goes on all the time. Other work of the machine slows it down more than the transaction does, so the figures show how fast. */
const slowerMax = 3;

/** Tables of the record whose rows change with the work. */
const changedTables = [
  'chunks',
  'batches',
  'source_buckets',
  'source_states',
  'account_source_limits',
  'credit_balances',
  'server_clock',
  'figures',
];

/** State of the tables that a job and its chunk change, at a moment. */
interface Sample {
  readonly atMs: number;
  readonly done: number;
  readonly dead: number;
  readonly bytes: number;
}

test(
  'while another transaction stays open, work goes on and the tables of the queue grow with the work only',
  { timeout: 600_000 + 2000 * size.seconds },
  async () => {
    const servers = await openServersOnPostgres();
    const { database } = servers;
    const standIn = await openLoggedSource();
    const run = await openBatchRun(servers, {
      source: standIn,
      // About an eighth of the rows repeats another one or has no company.
      rows: listCompanies(Math.ceil(lookupsWanted * 1.3), 'pinned'),
      settings: {
        NIGHTSHIFT_UPSTREAM_IDEMPOTENT: 'true',
        NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: String(size.requestsPerSecond),
        NIGHTSHIFT_OPENING_CREDITS: '1000000',
      },
    });
    const unpin = await pinSnapshot(database);
    const workers = startWorkers(run, 2, {});
    await workers.untilWorking();
    const samples = [await takeSample(database)];
    for (let quarter = 1; quarter <= quarters; quarter += 1) {
      await untilDone(database, (lookupsWanted * quarter) / quarters);
      samples.push(await takeSample(database));
    }
    report(samples);
    expectBounded(samples);
    if (runsFull)
      for (const [table, bytesMax] of Object.entries(rewrittenBytesMax))
        expect(await sizeOf(database, table), table).toBeLessThan(bytesMax);

    await unpin();
    const pinned = samples.at(-1)?.dead ?? 0;
    // Work makes some meanwhile.
    expect(await countDeadAfterVacuum(database), 'dead rows without the transaction').toBeLessThan(
      pinned / 2,
    );
    await untilDone(database, lookupsWanted + 20);
    await expectInvariants(run.environment);
    await workers.dismiss();
  },
);

async function untilDone(database: TestDatabase, lookups: number): Promise<void> {
  await vi.waitUntil(async () => (await countDone(database)) >= lookups, {
    timeout: faultWaitMsMax + 2000 * size.seconds,
    interval: 200,
  });
}

async function takeSample(database: TestDatabase): Promise<Sample> {
  const names = sql.join(
    changedTables.map((name) => sql`${name}`),
    sql`, `,
  );
  // Statistics of a backend arrive with a delay of a second at most.
  const { rows } = await database.owner.sql.execute<{ dead: number; bytes: number }>(
    sql`SELECT sum(n_dead_tup)::integer AS dead, sum(pg_total_relation_size(relid))::float8 AS bytes
      FROM pg_stat_user_tables WHERE schemaname = 'bullmq' OR (schemaname = 'nightshift' AND relname IN (${names}))`,
  );
  const { dead = 0, bytes = 0 } = rows[0] ?? {};
  return { atMs: performance.now(), done: await countDone(database), dead, bytes };
}

async function sizeOf({ owner }: TestDatabase, table: string): Promise<number> {
  const { rows } = await owner.sql.execute<{ bytes: number }>(
    sql`SELECT pg_total_relation_size(${table}::regclass)::float8 AS bytes`,
  );
  return rows[0]?.bytes ?? Infinity;
}

/** Runs VACUUM as autovacuum does, until the statistics have its result. */
async function countDeadAfterVacuum(database: TestDatabase): Promise<number> {
  await database.owner.sql.execute(sql`VACUUM`);
  return (await takeSample(database)).dead;
}

function expectBounded(samples: readonly Sample[]): void {
  const last = samples.at(-1);
  if (last === undefined) throw new Error('There is no sample.');
  expect(last.dead / last.done, 'dead rows per lookup').toBeLessThan(deadPerLookupMax);
  expect(last.bytes, 'bytes').toBeLessThan(bytesAtStartMax + bytesPerLookupMax * last.done);
  if (!runsFull) return;
  const [first, ...others] = quartersOf(samples);
  for (const quarter of others) {
    expect(quarter.seconds).toBeLessThan(slowerMax * (first?.seconds ?? 0));
    expect(quarter.dead).toBeLessThan(1.5 * (first?.dead ?? 0));
    expect(quarter.bytes).toBeLessThan(1.5 * (first?.bytes ?? 0));
  }
}

function report(samples: readonly Sample[]): void {
  const last = samples.at(-1);
  const all = quartersOf(samples);
  recordFigures(`a transaction pinned during ${last?.done} lookups`, {
    'seconds of each quarter': all.map(({ seconds }) => seconds.toFixed(0)).join(', '),
    'dead rows of each quarter': all.map(({ dead }) => dead).join(', '),
    'kB of each quarter': all.map(({ bytes }) => Math.round(bytes / 1024)).join(', '),
    'kB at the end': Math.round((last?.bytes ?? 0) / 1024),
  });
}

function quartersOf(samples: readonly Sample[]) {
  return samples.slice(1).map(({ atMs, dead, bytes }, index) => ({
    seconds: (atMs - (samples[index]?.atMs ?? 0)) / 1000,
    dead: dead - (samples[index]?.dead ?? 0),
    bytes: bytes - (samples[index]?.bytes ?? 0),
  }));
}
