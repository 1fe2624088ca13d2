import { sql } from 'drizzle-orm';
import { expect, onTestFinished, vi } from 'vitest';
import { migrate } from '../../../db/migrate.ts';
import type { Environment } from '../cli/nightshift-process.ts';
import { openTestPools, type TestDatabase } from '../db/database.ts';
import { schemaFolder } from '../db/test-postgres.ts';
import { countDone, listDeadLetters } from '../storm/progress.ts';
import { finalRateLimit, paceToLast } from '../storm/storm.ts';
import { startWorkers } from '../storm/worker-pool.ts';
import { faultWaitMsMax, waitMsMax } from '../wait-bound.ts';
import { expectNothingLostOrBoughtTwice } from './batch-audit.ts';
import { companiesOf, listCompanies } from './listed-companies.ts';
import { openBatchRun } from './loaded-batch.ts';
import { openLoggedSource } from './logged-source.ts';

/** Options of a run whose primary is lost. */
export interface LossRunOptions {
  /** URL of a superuser, which leads to whichever server is the primary. */
  readonly ownerUrl: string;
  /** Settings of the product that lead to the servers and the queue. */
  readonly environment: Environment;
  readonly rows: number;
  /** Length of the run while nothing fails. */
  readonly seconds: number;
  readonly seed: string;
}

/** A batch that two workers work on while its primary is lost, again and again. */
export interface LossRun {
  /** Resolves when this part of the companies is done, from 0 to 1, and at least `more` more than now. */
  readonly untilDone: (part: number, more: number) => Promise<void>;
  /**
   * Loses the primary, and checks that all that was acknowledged before is there afterwards and that the workers go on. Returns the pause from
   * the promotion to the next outcome, in milliseconds.
   *
   * @param failOver resolves with the moment at which a primary accepted writes again, in milliseconds since 1970.
   */
  readonly outlast: (name: string, failOver: () => Promise<number>) => Promise<number>;
  /** Waits for the end of the batch, and checks that nothing is lost and nothing was bought twice. */
  readonly finish: () => Promise<void>;
}

/** Migrates the database, loads the batch and starts the workers. Resolves when they work. */
export async function openLossRun(options: LossRunOptions): Promise<LossRun> {
  await migrate(options.ownerUrl, schemaFolder);
  const database = openTestPools(options.ownerUrl);
  onTestFinished(database.close);
  const standIn = await openLoggedSource();
  const rows = listCompanies(options.rows, options.seed);
  const companies = companiesOf(rows).length;
  const settings = {
    NIGHTSHIFT_LEASE_SECONDS: '5',
    NIGHTSHIFT_UPSTREAM_IDEMPOTENT: 'true',
    ...paceToLast(companies, options.seconds),
  };
  const opened = { database, environment: options.environment };
  const run = await openBatchRun(opened, { source: standIn, rows, settings });
  const workers = startWorkers(run, 2, {});
  await workers.untilWorking();
  return {
    untilDone: (part, more) => untilDone(database, part * companies, more),
    outlast: (name, failOver) => outlast(database, name, failOver),
    async finish() {
      await run.untilFinished(options.seconds * 1000 + faultWaitMsMax);
      await workers.dismiss();
      await expectNothingLostOrBoughtTwice(
        { ...run, environment: { ...run.environment, ...finalRateLimit } },
        { log: standIn.readLog(), deadLetters: await listDeadLetters(database) },
      );
    },
  };
}

async function untilDone(database: TestDatabase, done: number, more: number): Promise<void> {
  const wanted = Math.max(done, (await countDone(database)) + more);
  await vi.waitFor(
    async () => {
      const found = await countDone(database);
      if (found < wanted) throw new Error(`${found} lookups are done, of ${wanted} waited for.`);
    },
    { timeout: faultWaitMsMax, interval: 100 },
  );
}

async function outlast(
  database: TestDatabase,
  name: string,
  failOver: () => Promise<number>,
): Promise<number> {
  const acknowledged = await readAcknowledged(database);
  const promotedAtMs = await failOver();
  const doneAtMs = await untilNextDone(database);
  const now = await readAcknowledged(database);
  expect(
    [...acknowledged].filter((line) => !now.has(line)),
    `lost at ${name}`,
  ).toEqual([]);
  return doneAtMs - promotedAtMs;
}

/** Outcomes, ledger entries and answered calls that a client can see: their standby has confirmed them. */
async function readAcknowledged({ owner }: TestDatabase): Promise<ReadonlySet<string>> {
  const { rows } = await owner.sql.execute<{ line: string }>(
    sql`SELECT format('lookup %s %s', id, outcome) AS line FROM nightshift.all_lookups WHERE outcome IS NOT NULL
      UNION ALL SELECT 'charge ' || e::text FROM nightshift.ledger_entries e
      UNION ALL SELECT format('call %s %s %s', id, request_key, answer) FROM nightshift.source_calls WHERE answered_at IS NOT NULL`,
  );
  return new Set(rows.map(({ line }) => line));
}

/** Resolves with the time when there is an outcome more than after the promotion. */
async function untilNextDone(database: TestDatabase): Promise<number> {
  const before = await vi.waitFor(() => countDone(database), { timeout: waitMsMax, interval: 50 });
  return vi.waitFor(
    async () => {
      if ((await countDone(database)) <= before) throw new Error('No outcome since the promotion.');
      return Date.now();
    },
    { timeout: waitMsMax, interval: 50 },
  );
}
