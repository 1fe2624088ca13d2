import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Closers } from '../../src/closers.ts';
import { runCommand } from '../product/command.ts';
import { startWorker } from '../product/worker.ts';
import { withClient } from '../support/bench-server.ts';
import { expectEqual } from '../support/expect.ts';

/** Servers of the product: the private server of a home, and the Redis of the queue, if any. */
export interface ScansPlace {
  readonly home: string;
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
}

export interface ScansWork {
  /** Keeps the schedules and the queue separate from those of other runs. */
  readonly name: string;
  readonly schedules: number;
  readonly companies: number;
  readonly workers: number;
  /** Minimum time from the start of the workers to the ticks, so that the workers are ready by then. */
  readonly leadMs: number;
}

/** Delays of scans after their tick, in milliseconds, one figure per scan. */
export interface Lateness {
  /** Delay until the scan is recorded. */
  readonly noticed: readonly number[];
  /** Delay until its file is loaded as a batch. */
  readonly begun: readonly number[];
  readonly finished: readonly number[];
  /** Delay until the changes are known. */
  readonly evaluated: readonly number[];
}

/** The sample has ads for most of its companies. */
const exampleList = fileURLToPath(new URL('../../examples/companies.csv', import.meta.url));

const runMsMax = 900_000;

/** Runs schedules that are all due in the same minute. Returns the delays of their scans. */
export async function scanAtOnce(place: ScansPlace, work: ScansWork, closers: Closers): Promise<Lateness> {
  const settings = settingsOf(place, work);
  const due = nextMinute(Date.now() + work.leadMs);
  const first = await addSchedule(place, { work, due, settings }, closers);
  const workers = Array.from({ length: work.workers }, () => startWorker(place.home, settings, closers));
  try {
    return await withClient(place.databaseUrl, async (client) => {
      await multiplySchedule(client, first, work);
      return Promise.race([untilEvaluated(client, work, due), ...workers.map(({ died }) => died)]);
    });
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
    await runCommand(['schedule', 'remove', first], place.home, closers, settings);
    await withClient(place.databaseUrl, (client) => removeOthers(client, work));
  }
}

function settingsOf({ redisUrl }: ScansPlace, { name }: ScansWork): Readonly<Record<string, string>> {
  return redisUrl === null ? {} : { REDIS_URL: redisUrl, NIGHTSHIFT_QUEUE_PREFIX: `{${name}}` };
}

function nextMinute(ms: number): Date {
  return new Date(Math.ceil(ms / 60_000) * 60_000);
}

interface FirstSchedule {
  readonly work: ScansWork;
  readonly due: Date;
  readonly settings: Readonly<Record<string, string>>;
}

/** Adds a schedule like a user; the others are copies of it. */
async function addSchedule(
  { home }: ScansPlace,
  { work, due, settings }: FirstSchedule,
  closers: Closers,
): Promise<string> {
  const file = `${home}/${work.name}.csv`;
  const lines = readFileSync(exampleList, 'utf8').split('\n');
  writeFileSync(file, [...lines.slice(0, work.companies + 1), ''].join('\n'));
  const cron = `${due.getUTCMinutes()} ${due.getUTCHours()} * * *`;
  const options = ['--companies', file, '--cron', cron, '--tz', 'UTC', '--source', 'sample'];
  await runCommand(['schedule', 'add', work.name, ...options], home, closers, settings);
  return work.name;
}

async function multiplySchedule(
  client: pg.Client,
  first: string,
  { schedules, name }: ScansWork,
): Promise<void> {
  const columns = await client.query<{ names: string }>(
    `SELECT string_agg(quote_ident(attname), ', ') AS names FROM pg_attribute
      WHERE attrelid = 'nightshift.schedules'::regclass AND attnum > 0 AND NOT attisdropped
        AND attname NOT IN ('id', 'public_id', 'name')`,
  );
  const names = columns.rows[0]?.names ?? '';
  await client.query(
    `INSERT INTO nightshift.schedules (public_id, name, ${names})
      SELECT 'sch_' || replace(gen_random_uuid()::text, '-', ''), $2 || '-' || n, ${names}
      FROM nightshift.schedules, generate_series(2, $3::integer) n WHERE name = $1`,
    [first, name, schedules],
  );
}

async function untilEvaluated(
  client: pg.Client,
  { name, schedules }: ScansWork,
  due: Date,
): Promise<Lateness> {
  const untilMs = performance.now() + runMsMax;
  const ofRun = `FROM nightshift.scans s JOIN nightshift.schedules d ON d.id = s.schedule_id
    WHERE (d.name = $1 OR d.name LIKE $1 || '-%') AND s.due_at = $2 AND s.evaluated_at IS NOT NULL`;
  const countDone = async () => {
    const done = await client.query<{ n: number }>(`SELECT count(*)::integer AS n ${ofRun}`, [name, due]);
    return done.rows[0]?.n ?? 0;
  };
  for (let done = await countDone(); done < schedules; done = await countDone()) {
    if (performance.now() > untilMs)
      throw new Error(`After a quarter of an hour ${done} of ${schedules} scans are done.`);
    await wait(500);
  }
  const late = (step: string) => `array_agg(extract(epoch FROM s.${step} - s.due_at)::float8 * 1000)`;
  const times = await client.query(
    `SELECT ${late('created_at')} AS noticed, ${late('begun_at')} AS begun, ${late('finished_at')} AS finished,
      ${late('evaluated_at')} AS evaluated ${ofRun}`,
    [name, due],
  );
  const lateness = latenessRow.parse(times.rows[0]);
  expectEqual('Scans of one tick each', lateness.noticed.length, schedules);
  return lateness;
}

const figures = z.array(z.number());
const latenessRow = z.object({ noticed: figures, begun: figures, finished: figures, evaluated: figures });

async function removeOthers(client: pg.Client, { name }: ScansWork): Promise<void> {
  await client.query(
    `UPDATE nightshift.schedules SET state = 'removed', next_at = NULL, revision = revision + 1 WHERE name LIKE $1 || '-%'`,
    [name],
  );
}
