import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startNightshift } from '../../support/cli/nightshift-process.ts';
import { listCompanies } from '../../support/faults/listed-companies.ts';
import { runsAll } from '../../support/faults/random-runs.ts';
import { openSlowRun } from '../../support/faults/slow-run.ts';
import { openOwnPostgres } from '../../support/storm/own-postgres.ts';

const rows = listCompanies(runsAll ? 1_500 : 250, 'out of memory');
const controller = '/sys/fs/cgroup/memory';
const canLimit = process.getuid?.() === 0 && existsSync(join(controller, 'memory.limit_in_bytes'));
const why = canLimit ? '' : ' (not run: needs root and the memory controller of cgroups, version 1)';

test.skipIf(!canLimit)(
  `a worker that the system kills for its memory loses nothing, and another one goes on${why}`,
  async () => {
    const { run, standIn, untilCalls, audit } = await openRun();
    const group = openMemoryGroup();
    const worker = startNightshift(['work'], run.environment, { host: group.host });
    await untilCalls(20);
    await group.exhaust(worker.pid);
    expect((await worker.ended).exitCode).toBeNull();
    const called = standIn.readLog().length;
    run.startWorker();
    await untilCalls(called + 20);
    await run.untilFinished();
    await audit();
  },
);

test('a backend of Postgres that the system kills restarts the server, and workers go on', async () => {
  const { run, standIn, untilCalls, audit } = await openRun();
  const worker = run.startWorker();
  for (let kill = 1; kill <= 3; kill += 1) {
    await untilCalls(standIn.readLog().length + 20);
    process.kill(await findBackend(run.database), 'SIGKILL');
  }
  await untilCalls(standIn.readLog().length + 20);
  expect(worker.isRunning(), worker.stderr().slice(-2000)).toBe(true);
  await run.untilFinished();
  await audit();
  expect(worker.stderr()).toContain('database connection lost');
  expect((await worker.stop()).exitCode).toBe(0);
});

async function openRun() {
  const { database } = await openOwnPostgres();
  return openSlowRun({ database, environment: { DATABASE_URL: database.url } }, rows);
}

/** The session of a worker that ran a statement last. */
async function findBackend({
  owner,
}: Awaited<ReturnType<typeof openOwnPostgres>>['database']): Promise<number> {
  const { rows: found } = await owner.pool.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND application_name <> 'nightshift test'
      ORDER BY state_change DESC NULLS LAST LIMIT 1`,
  );
  const [session] = found;
  if (session === undefined) throw new Error('The worker has no session.');
  return session.pid;
}

/** Memory in bytes of a group: more than a worker takes. */
const groupBytes = 700_000_000;

/** A memory cgroup, for one process. */
function openMemoryGroup() {
  const folder = join(controller, `nightshift-${process.pid}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'memory.limit_in_bytes'), String(groupBytes));
  onTestFinished(() => vi.waitFor(() => rmdirSync(folder), { timeout: 10_000, interval: 50 }));
  const joinGroup = `echo $$ > ${folder}/cgroup.procs`;
  return {
    host: { command: ['sh', '-c', `${joinGroup}; exec "$0" "$@"`], environment: {} },
    /** Takes all memory of the group with another process, until the system has killed this one, which it prefers. */
    async exhaust(pid: number) {
      writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
      const script = `${joinGroup}; head -c ${groupBytes - 50_000_000} /dev/zero | tail -c ${groupBytes} | sleep 2`;
      const hog = spawn('sh', ['-c', script], { stdio: 'ignore' });
      await once(hog, 'exit');
    },
  };
}
