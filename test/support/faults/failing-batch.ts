import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { vi } from 'vitest';
import { openApp, type App } from '../../../src/app/app.ts';
import { runWorkers } from '../../../src/cli/process/run-workers.ts';
import { createClosers, type Closers } from '../../../src/closers.ts';
import { readConfig } from '../../../src/config/config.ts';
import { anySearch } from '../../../src/core/ads/ads-answer.ts';
import { noBounds } from '../../../src/core/batches/batch.ts';
import { createLog } from '../../../src/log.ts';
import { createTestDatabase, type TestDatabase } from '../db/database.ts';
import { queueSettings } from '../cli/test-cli.ts';
import type { Environment } from '../cli/nightshift-process.ts';
import { openSourceStandIn, type SourceStandIn } from '../stand-in/source-stand-in.ts';
import type { StandInCall } from '../stand-in/stand-in-log.ts';
import type { StandInOptions } from '../stand-in/stand-in-options.ts';

/** A batch, and a source that fails for a while during its run. */
export interface FailingBatch {
  readonly queue: 'postgres' | 'redis';
  readonly companies: readonly string[];
  readonly source: StandInOptions;
  /** State, with its reason, that the batch must show before the failure ends. Default: the script decides. */
  readonly lastsUntil: string | null;
  /** Runs beside the batch, after the start of the workers. `isOver` reports whether the batch has shown the state of `lastsUntil`. */
  readonly meanwhile: (standIn: SourceStandIn, isOver: () => boolean) => Promise<void>;
  readonly settings: Environment;
}

/** State after the run. */
export interface FailingBatchResult {
  readonly answers: readonly CompanyAnswer[];
  /** Calls as the source logged them. */
  readonly log: readonly StandInCall[];
  /** States of the batch with the reason of a wait: `waiting_for_source failing`. */
  readonly states: ReadonlySet<string>;
  readonly spentMicro: number;
  /** Broken invariants, from `nightshift verify`. */
  readonly broken: readonly string[];
}

export interface CompanyAnswer extends Record<string, unknown> {
  readonly company: string;
  readonly outcome: string;
  readonly reason: string | null;
  /** Credits as exact decimal text. */
  readonly credits: string;
  readonly creatives: readonly string[];
}

const openingCredits = 1000;

/**
 * Runs the batch with the product in this process: nothing is killed, and only the source fails.
 *
 * @throws Error when the batch does not finish within `timeoutMs`.
 */
export async function runFailingBatch(run: FailingBatch, timeoutMs: number): Promise<FailingBatchResult> {
  const closers = createClosers();
  try {
    const database = closers.add(await createTestDatabase(), (opened) => opened.close());
    const standIn = closers.add(await openSourceStandIn(run.source), (opened) => opened.close());
    const app = await openNightshift(run, { database, standIn }, closers);
    const { publicId } = await loadCompanies(app, run.companies);
    closers.add(await runWorkers(app), (workers) => workers.close());
    const states = new Set<string>();
    const isOver = () => run.lastsUntil === null || states.has(run.lastsUntil);
    const watching = watchBatch(database, publicId, timeoutMs, (state) => {
      states.add(state);
      if (state === run.lastsUntil) standIn.setBehaviour(() => undefined);
    });
    await Promise.all([watching, run.meanwhile(standIn, isOver)]);
    return await readResult({ app, database, standIn, states });
  } finally {
    await closers.close();
  }
}

async function openNightshift(
  { queue, settings }: FailingBatch,
  { database, standIn }: { readonly database: TestDatabase; readonly standIn: SourceStandIn },
  closers: Closers,
): Promise<App> {
  const config = readConfig({
    DATABASE_URL: database.url,
    ...queueSettings(queue),
    NIGHTSHIFT_UPSTREAM_URL: standIn.url,
    NIGHTSHIFT_UPSTREAM_KEY: standIn.key,
    NIGHTSHIFT_OPENING_CREDITS: String(openingCredits),
    ...settings,
  });
  const options = { log: createLog('silent'), onProgress: () => undefined };
  return closers.add(await openApp(config, options), (app) => app.close());
}

function loadCompanies(app: App, companies: readonly string[]) {
  return app.batches.load({
    accountId: app.accounts.defaultId,
    open: () => Readable.from([Buffer.from(['domain', ...companies, ''].join('\n'))]),
    reading: { fileName: 'list.csv' },
    sources: () => Promise.resolve(['upstream']),
    search: anySearch,
    bounds: noBounds,
    again: false,
    onProgress: () => undefined,
  });
}

/** Polls the batch until it has finished, and reports the state of each poll. */
async function watchBatch(
  { owner }: TestDatabase,
  batch: string,
  timeoutMs: number,
  onState: (state: string) => void,
): Promise<void> {
  await vi.waitUntil(
    async () => {
      const { rows } = await owner.sql.execute<{ state: string }>(
        sql`SELECT concat_ws(' ', state, wait_kind) AS state FROM nightshift.batches WHERE public_id = ${batch}`,
      );
      const state = rows[0]?.state ?? 'missing';
      onState(state);
      return state === 'finished';
    },
    { timeout: timeoutMs, interval: 50 },
  );
}

interface Ended {
  readonly app: App;
  readonly database: TestDatabase;
  readonly standIn: SourceStandIn;
  readonly states: ReadonlySet<string>;
}

async function readResult({ app, database, standIn, states }: Ended): Promise<FailingBatchResult> {
  // A call that was aborted on our side may still take effect at the source.
  await wait(100);
  const { rows: answers } = await database.owner.sql.execute<CompanyAnswer>(
    sql`SELECT l.company_domain AS company, l.outcome, l.reason, l.credits::text AS credits,
        ARRAY(SELECT a.creative_id FROM reports.ads a WHERE a.lookup_id = l.lookup_id ORDER BY a.position) AS creatives
      FROM reports.lookups l ORDER BY l.lookup_id`,
  );
  const { balanceMicro } = await app.credits.ledger.readBalance(app.accounts.defaultId);
  const reports = await app.work.verify.check({});
  return {
    answers,
    log: standIn.log,
    states,
    spentMicro: openingCredits * 1_000_000 - Number(balanceMicro),
    broken: reports.flatMap(({ broken }) => broken),
  };
}
