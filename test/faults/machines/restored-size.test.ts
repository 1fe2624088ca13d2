import { rmSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { ensurePrivateServer } from '../../../src/postgres-server/index.ts';
import type { Environment } from '../../support/cli/nightshift-process.ts';
import { runToSuccess } from '../../support/cli/run-to-success.ts';
import { createHomes } from '../../support/db/private-postgres-folders.ts';
import { inDatabase, withClient } from '../../support/db/test-postgres.ts';
import { temporaryFolder } from '../../support/faults/loaded-batch.ts';
import { recordFigures } from '../../support/faults/proof-figures.ts';
import { runsFull } from '../../support/faults/random-runs.ts';

const megabytes = runsFull ? 2048 : 16;
/** Of the promise, which is about the full size. */
const restoreSecondsMax = 60;
const commandMsMax = 900_000;
/** A row is 32 hashes, which compress as badly as text of ads does, and a header. */
const rowsPerMegabyte = 950;

test(`a record of ${megabytes} MB is restored soon`, { timeout: 3 * commandMsMax }, async () => {
  const archive = temporaryFolder();
  onTestFinished(() => rmSync(archive, { recursive: true, force: true }));
  const lost = await openHome();
  await runToSuccess(['migrate'], lost, { timeoutMs: commandMsMax });
  const rows = megabytes * rowsPerMegabyte;
  await inRecord(lost, async (query) => {
    await query(
      `CREATE TABLE public.filler AS SELECT n, (SELECT string_agg(md5(n::text || k::text), '') FROM generate_series(1, 32) k) AS text
        FROM generate_series(1, ${rows}) n`,
    );
  });
  const backupSeconds = await timeCommand(['backup', archive], lost);
  const server = await ensurePrivateServer({ home: lost['NIGHTSHIFT_HOME'] ?? '' });
  process.kill(server.pid, 'SIGQUIT');

  const found = await openHome();
  const restoreSeconds = await timeCommand(['restore', archive], found);
  const [counted] = await inRecord(found, (query) =>
    query(
      `SELECT count(*)::integer AS rows, (pg_database_size(current_database()) / 1024 / 1024)::integer AS mb FROM public.filler`,
    ),
  );
  expect(counted).toMatchObject({ rows });
  recordFigures(`a record of ${counted?.['mb']} MB`, {
    backup: `${backupSeconds.toFixed(1)} s`,
    restore: `${restoreSeconds.toFixed(1)} s`,
  });
  if (runsFull) expect(restoreSeconds).toBeLessThan(restoreSecondsMax);
});

async function openHome(): Promise<Environment> {
  const homes = createHomes();
  onTestFinished(homes.clear);
  return { NIGHTSHIFT_HOME: await homes.make() };
}

type Query = (statement: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

async function inRecord<Result>(
  { NIGHTSHIFT_HOME: home = '' }: Environment,
  use: (query: Query) => Promise<Result>,
): Promise<Result> {
  const server = await ensurePrivateServer({ home });
  const url = inDatabase(server.url('postgres', 'postgres'), 'nightshift');
  return withClient(url, (client) =>
    use(async (statement) => (await client.query<Record<string, unknown>>(statement)).rows),
  );
}

/** Returns the seconds that the command took. */
async function timeCommand(args: readonly string[], environment: Environment): Promise<number> {
  const startedMs = performance.now();
  await runToSuccess(args, environment, { timeoutMs: commandMsMax });
  return (performance.now() - startedMs) / 1000;
}
