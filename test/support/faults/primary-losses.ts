import { sql } from 'drizzle-orm';
import { expect, onTestFinished, vi } from 'vitest';
import { migrate } from '../../../db/migrate.ts';
import { readNightshift, type Environment } from '../cli/nightshift-process.ts';
import { openTestPools, type TestDatabase } from '../db/database.ts';
import { schemaFolder } from '../db/test-postgres.ts';
import { countDone } from '../storm/progress.ts';
import { finalRateLimit, paceToLast } from '../storm/storm.ts';
import { startWorkers } from '../storm/worker-pool.ts';
import { faultWaitMsMax, waitMsMax } from '../wait-bound.ts';
import { askedIn, expectNothingLostOrBoughtTwice } from './batch-audit.ts';
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
  /** Loses the primary, and checks that all that was acknowledged before is there afterwards and that the workers go on. */
  readonly outlast: (name: string, loss: PrimaryLoss) => Promise<LossPause>;
  /**
   * Waits for the end of the batch, and checks that nothing is lost, and nothing bought twice or called again after its outcome was seen. A start
   * counts if the worker did not notice the loss: it retries what has become a dead letter by that. No other lookup may have failed. Returns the
   * number of dead letters, and that of starts that counted.
   */
  readonly finish: () => Promise<LossCosts>;
}

/** A loss of the primary. */
export interface PrimaryLoss {
  /** Resolves with the moment at which a primary accepted writes again, in milliseconds since 1970. */
  readonly failOver: () => Promise<number>;
  /** Runs before the last look at what was acknowledged. */
  readonly before?: () => Promise<void>;
}

/** What the losses have cost. */
export interface LossCosts {
  readonly deadLetters: number;
  readonly starts: number;
}

/** Milliseconds until the first outcome after a loss. */
export interface LossPause {
  readonly sinceLossMs: number;
  readonly sincePromotionMs: number;
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
  /** When the outcome of a company was first seen before a loss. */
  const seenAtMs = new Map<string, number>();
  return {
    untilDone: (part, more) => untilDone(database, part * companies, more),
    async outlast(name, { failOver, before }) {
      await before?.();
      const acknowledged = await readAcknowledged(database);
      const lostAtMs = Date.now();
      for (const { company } of acknowledged)
        if (company !== null && !seenAtMs.has(company)) seenAtMs.set(company, lostAtMs);
      const promotedAtMs = await failOver();
      const doneAtMs = await untilNextDone(database);
      const now = new Set((await readAcknowledged(database)).map(({ line }) => line));
      const lost = acknowledged.map(({ line }) => line).filter((line) => !now.has(line));
      expect(lost, `lost at ${name}`).toEqual([]);
      const pause = { sinceLossMs: doneAtMs - lostAtMs, sincePromotionMs: doneAtMs - promotedAtMs };
      process.stderr.write(
        `  ${name}: outcome after ${pause.sinceLossMs} ms, ${pause.sincePromotionMs} ms after the promotion\n`,
      );
      return pause;
    },
    async finish() {
      await run.untilFinished(options.seconds * 1000 + faultWaitMsMax);
      const calledAgain = standIn
        .readLog()
        .filter((call) => call.at > (seenAtMs.get(askedIn(call)) ?? Number.POSITIVE_INFINITY));
      expect(calledAgain, 'called after their outcome was seen').toEqual([]);
      const starts = await countRepeatedStarts(database);
      const deadLetters = await listFailed(database);
      expect(
        deadLetters.filter(({ reason }) => reason !== 'dead_letter'),
        'failed',
      ).toEqual([]);
      if (deadLetters.length > 0) {
        process.stderr.write(`  dead letters: ${JSON.stringify(deadLetters)}\n`);
        await readNightshift(['retry', run.batch], run.environment);
        await run.untilFinished(faultWaitMsMax);
      }
      await workers.dismiss();
      await expectNothingLostOrBoughtTwice(
        { ...run, environment: { ...run.environment, ...finalRateLimit } },
        { log: standIn.readLog(), deadLetters: [] },
      );
      return { deadLetters: deadLetters.length, starts };
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

/** Outcomes, ledger entries and answered calls that a client can see: their standby has confirmed them. */
async function readAcknowledged({
  owner,
}: TestDatabase): Promise<readonly { readonly line: string; readonly company: string | null }[]> {
  const { rows } = await owner.sql.execute<{ line: string; company: string | null }>(
    sql`SELECT format('lookup %s %s', id, outcome) AS line, coalesce(company_domain, company_name) AS company
      FROM nightshift.all_lookups WHERE outcome IS NOT NULL
      UNION ALL SELECT 'charge ' || e::text, NULL FROM nightshift.ledger_entries e
      UNION ALL SELECT format('call %s %s %s', id, request_key, answer), NULL FROM nightshift.source_calls WHERE answered_at IS NOT NULL`,
  );
  return rows;
}

/** Lookups that did not end with an answer of the source, with their reason and the calls that were recorded. */
async function listFailed({
  owner,
}: TestDatabase): Promise<readonly { readonly company: string; readonly reason: string }[]> {
  const { rows } = await owner.sql.execute<{ company: string; reason: string }>(
    sql`SELECT coalesce(l.company_domain, l.company_name) AS company, l.outcome, l.reason,
        (SELECT jsonb_agg(jsonb_build_object('sent', s.sent_at, 'answered', s.answered_at, 'answer', s.answer) ORDER BY s.id)
          FROM nightshift.source_calls s WHERE s.lookup_id = l.id) AS calls
      FROM nightshift.all_lookups l WHERE l.outcome IS NULL OR l.outcome NOT IN ('found', 'none')`,
  );
  return rows;
}

/** Starts of chunks beside the one that ended each of them. */
async function countRepeatedStarts({ owner }: TestDatabase): Promise<number> {
  const { rows } = await owner.sql.execute<{ starts: number }>(
    sql`SELECT coalesce(sum(starts - 1), 0)::integer AS starts FROM nightshift.chunks WHERE starts > 1`,
  );
  return rows[0]?.starts ?? Number.NaN;
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
