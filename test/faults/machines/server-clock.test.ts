import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { migrate } from '../../../db/migrate.ts';
import { ensurePrivateServer } from '../../../src/postgres-server/index.ts';
import { openTestPools, type TestDatabase } from '../../support/db/database.ts';
import { createHomes } from '../../support/db/private-postgres-folders.ts';
import { schemaFolder, withClient } from '../../support/db/test-postgres.ts';
import { listCompanies } from '../../support/faults/listed-companies.ts';
import { openSlowRun } from '../../support/faults/slow-run.ts';
import { findFaketime } from '../../support/hosts/network-tools.ts';
import { faultWaitMsMax } from '../../support/wait-bound.ts';

const faketime = findFaketime();
const why = faketime === null ? ' (not run: libfaketimeMT.so.1 not installed, Debian: faketime)' : '';
const rows = listCompanies(150, 'server clock');

test.skipIf(faketime === null)(
  `a clock of Postgres that goes on by a day, and back by a day, stops nothing${why}`,
  async () => {
    const homes = createHomes();
    onTestFinished(homes.clear);
    const server = await ensurePrivateServer({ home: await homes.make() });
    const superuser = server.url('postgres', 'nightshift');
    await migrate(superuser, schemaFolder);
    const clock = await openClock(server.pid, superuser);
    const database = openTestPools(superuser);
    onTestFinished(database.close);
    const { run, standIn, untilCalls, audit } = await openSlowRun(
      { database, environment: { DATABASE_URL: database.url } },
      rows,
    );
    const worker = run.startWorker();
    await untilCalls(20);
    clock.set('+1d');
    expect(await readMs(database)).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    await untilCalls(standIn.readLog().length + 30);
    // Its chunks are under leases that end a day later.
    await worker.kill();
    clock.set('+0');
    const other = run.startWorker();
    await untilCalls(standIn.readLog().length + 20);
    await run.untilFinished(60_000);
    expect((await other.stop()).exitCode).toBe(0);
    await audit();
  },
);

/** Gives a server its own clock: starts it anew with the library that sets it. */
async function openClock(pid: number, url: string): Promise<{ readonly set: (offset: string) => void }> {
  const file = join(mkdtempSync(join(tmpdir(), 'nightshift-clock-')), 'offset');
  chmodSync(dirname(file), 0o755);
  const set = (offset: string) => writeFileSync(file, offset);
  set('+0');
  const read = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'utf8').split('\0').filter(Boolean);
  const [program = '', ...args] = read('cmdline');
  const { uid, gid } = statSync(`/proc/${pid}`);
  const env = {
    ...Object.fromEntries(
      read('environ').map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]),
    ),
    LD_PRELOAD: faketime ?? '',
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DONT_RESET: '1',
  };
  process.kill(pid, 'SIGINT');
  await vi.waitUntil(() => !existsSync(`/proc/${pid}`), { timeout: faultWaitMsMax, interval: 10 });
  spawn(program, args, { env, uid, gid, stdio: 'ignore', detached: true, cwd: '/' }).unref();
  await vi.waitFor(() => withClient(url, (client) => client.query('SELECT')), { timeout: faultWaitMsMax });
  return { set };
}

/** Moment of the server, in milliseconds since 1970. */
async function readMs({ owner }: TestDatabase): Promise<number> {
  const { rows: read } = await owner.pool.query<{ ms: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::double precision AS ms',
  );
  return read[0]?.ms ?? Number.NaN;
}
