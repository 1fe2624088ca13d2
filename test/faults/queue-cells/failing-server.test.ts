import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import type { TestDatabase } from '../../support/db/database.ts';
import { expectNothingLostOrBoughtTwice } from '../../support/faults/batch-audit.ts';
import { companiesOf, listCompanies } from '../../support/faults/listed-companies.ts';
import { openBatchRun, type BatchRun } from '../../support/faults/loaded-batch.ts';
import { openLoggedSource } from '../../support/faults/logged-source.ts';
import { recordFigures } from '../../support/faults/proof-figures.ts';
import { runsFull } from '../../support/faults/random-runs.ts';
import { takeSeed } from '../../support/seed.ts';
import type { StandInCall } from '../../support/stand-in/stand-in-log.ts';
import { numbersOf } from '../../support/stand-in/stand-in-ads.ts';
import { finalRateLimit, finishBatch } from '../../support/storm/storm.ts';
import { countDone, untilMoreDone } from '../../support/storm/progress.ts';
import { openServersOnPostgres, type StormServers } from '../../support/storm/storm-servers.ts';
import { paceToLast } from '../../support/storm/storm.ts';
import { startWorkers, type WorkerPool } from '../../support/storm/worker-pool.ts';
import { faultWaitMsMax, waitMsMax } from '../../support/wait-bound.ts';

/** Number of times that each failure comes. */
const rounds = runsFull ? 20 : 1;
const secondsPerRound = 60;
const shutdownMsMax = 25_000;
const poolSize = 2;
/** Lookups of workers without a pace before they are stopped. */
const doneUnderLoad = 200;

/** Work on one server that has the queue and the record. */
interface Load {
  readonly servers: StormServers;
  readonly run: BatchRun;
  readonly workers: WorkerPool;
  readonly random: (below: number) => number;
  readonly readLog: () => readonly StandInCall[];
}

/** Failures by name. Each is over when it resolves. */
const failures: Readonly<Record<string, (load: Load) => Promise<void>>> = {
  'restart of the server': ({ servers }) => servers.restartPostgres(),
  'ended sessions': endSessions,
  'killed session': killSession,
  'full server': fillServer,
  'locked tables': lockTables,
  'killed worker': killWorker,
};

test(
  `after ${rounds} of each failure of the server, workers go on by themselves, and stop within 25 s under load`,
  { timeout: 300_000 + rounds * 600_000 },
  async () => {
    const load = await openLoad();
    const { run, workers } = load;
    const pauses = new Map<string, number[]>();
    for (let round = 1; round <= rounds; round += 1) {
      for (const [name, happen] of Object.entries(failures)) {
        await untilMoreDone(run.database, 10);
        await happen(load);
        const overAt = performance.now();
        await untilGoingOn(load, name);
        process.stderr.write(`  ${name}: ${Math.round(performance.now() - overAt)} ms\n`);
        pauses.set(name, [...(pauses.get(name) ?? []), Math.round(performance.now() - overAt)]);
      }
    }
    const busy = startWorkers(run, poolSize, finalRateLimit);
    await busy.untilWorking();
    await untilMoreDone(run.database, doneUnderLoad);
    const stoppedAt = performance.now();
    await Promise.all([workers.dismiss(), busy.dismiss()]);
    const shutdownMs = Math.round(performance.now() - stoppedAt);
    recordFigures(`${rounds} of each failure`, {
      ...Object.fromEntries(
        [...pauses].map(([name, ms]) => [`next outcome after ${name}`, `${Math.max(...ms)} ms at most`]),
      ),
      shutdown: `${shutdownMs} ms`,
    });
    expect(shutdownMs, 'milliseconds of the shutdown').toBeLessThan(shutdownMsMax);
    expect(await run.readState(), 'the batch after all failures').toBe('running');
    await finish(load);
  },
);

/** Resolves with the next outcome. @throws Error with the output of workers that ended, or that do not go on */
async function untilGoingOn({ run, workers }: Load, failure: string): Promise<void> {
  // The server may still recover.
  const isAway = () => null;
  const before = await vi.waitFor(() => countDone(run.database), { timeout: waitMsMax, interval: 50 });
  const outcome = vi.waitUntil(
    async () => {
      const ended = workers.crashed().map(({ exitCode, stderr }) => [exitCode, stderr.slice(-6000)]);
      expect(ended, `workers that ended: ${failure}`).toEqual([]);
      const done = await countDone(run.database).catch(isAway);
      return done !== null && done > before;
    },
    { timeout: faultWaitMsMax, interval: 50 },
  );
  await outcome.catch((cause: unknown) => {
    const reports = workers.workers().map(({ stderr }) => stderr().slice(-2000));
    throw new Error(`After ${failure}, workers do not go on. They say:\n${reports.join('\n')}`, { cause });
  });
}

async function openLoad(): Promise<Load> {
  const seed = takeSeed();
  const servers = await openServersOnPostgres();
  const standIn = await openLoggedSource();
  const rows = listCompanies(400 + 1200 * rounds, seed);
  const run = await openBatchRun(servers, {
    source: standIn,
    rows,
    settings: {
      NIGHTSHIFT_LEASE_SECONDS: '5',
      NIGHTSHIFT_UPSTREAM_IDEMPOTENT: 'true',
      ...paceToLast(companiesOf(rows).length, Object.keys(failures).length * secondsPerRound * rounds),
    },
  });
  const workers = startWorkers(run, poolSize, {});
  await workers.untilWorking();
  return { servers, run, workers, random: numbersOf(`failures|${seed}`), readLog: standIn.readLog };
}

/** Ends all sessions of the workers, repeatedly, as an administrator or a proxy does. */
async function endSessions({ run, random }: Load): Promise<void> {
  for (let times = 0; times < 5; times += 1) {
    await run.database.owner.sql.execute(
      sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name LIKE 'nightshift%' AND pid <> pg_backend_pid()`,
    );
    await wait(100 + random(400));
  }
}

/** `kill -9` of the server's process of one session: Postgres then ends all of them and recovers. */
async function killSession({ run, random }: Load): Promise<void> {
  const sessions = await run.database.owner.sql.execute<{ pid: number }>(
    sql`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  const victim = sessions.rows[random(sessions.rows.length)];
  if (victim === undefined) throw new Error('No worker has a session.');
  process.kill(victim.pid, 'SIGKILL');
  const isThere = () => countDone(run.database).then(() => true);
  await vi.waitUntil(() => isThere().catch(() => false), { timeout: waitMsMax, interval: 50 });
}

/** Takes every connection that the server has, also those of the workers, which then get none for five seconds. */
async function fillServer({ run: { database } }: Load): Promise<void> {
  const taken: pg.Client[] = [];
  let fullSinceMs: number | null = null;
  let ended = 0;
  while (fullSinceMs === null || performance.now() < fullSinceMs + 5000) {
    const client = new pg.Client({ connectionString: database.url, application_name: 'filler' });
    client.on('error', () => undefined);
    try {
      await client.connect();
      taken.push(client);
    } catch (error) {
      expect((error as { readonly code?: string }).code, 'the reason of a rejected connection').toBe('53300');
      fullSinceMs ??= performance.now();
      ended += await endOthers(taken[0]);
    }
  }
  await Promise.all(taken.map((client) => client.end()));
  expect(taken.length, 'connections of the test').toBeGreaterThan(150);
  expect(ended, 'ended sessions of the workers').toBeGreaterThan(0);
}

async function endOthers(client: pg.Client | undefined): Promise<number> {
  const ended = await client?.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'nightshift%'`,
  );
  return ended?.rowCount ?? 0;
}

/** Holds the tables for longer than a lease, so that every connection of the workers' pools waits for it. */
async function lockTables({ run: { database } }: Load): Promise<void> {
  await inTransaction(database, async (client) => {
    await client.query('LOCK TABLE nightshift.chunks, nightshift.source_calls IN ACCESS EXCLUSIVE MODE');
    await wait(7000);
  });
}

async function inTransaction(
  database: TestDatabase,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query('BEGIN');
    await work(client);
  } finally {
    await client.end();
  }
}

/** `kill -9` of a worker; another one starts. */
async function killWorker({ workers }: Load): Promise<void> {
  const [victim] = workers.working();
  if (victim === undefined) throw new Error('No worker is at work.');
  workers.startWorker();
  await workers.kill(victim);
  await workers.untilWorking();
}

async function finish({ run, readLog }: Load): Promise<void> {
  const deadLetters = await finishBatch({ run });
  const environment = { ...run.environment, ...finalRateLimit };
  await expectNothingLostOrBoughtTwice({ ...run, environment }, { log: readLog(), deadLetters });
}
