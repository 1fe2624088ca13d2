import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, closeSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerUser } from '../../../src/postgres-server/system/server-user.ts';
import { freePort } from '../queue/test-redis.ts';

export const programs = {
  patroni: '/usr/bin/patroni',
  patronictl: '/usr/bin/patronictl',
  etcd: '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
} as const;

/** Folder of the newest Postgres of Debian. Patroni uses `pg_basebackup` and `pg_rewind`, which the npm packages leave out. */
export function findPostgresPrograms(): string | undefined {
  const parent = '/usr/lib/postgresql';
  if (!existsSync(parent)) return undefined;
  const majors = readdirSync(parent).sort((a, b) => Number(b) - Number(a));
  return majors.map((major) => join(parent, major, 'bin')).find((bin) => existsSync(join(bin, 'pg_rewind')));
}

/** Returns null if the packages of Debian are installed; otherwise the reason. */
export function patroniUnavailableReason(): string | null {
  const packages = {
    patroni: existsSync(programs.patroni),
    'etcd-server': existsSync(programs.etcd),
    'python3-etcd': existsSync('/usr/lib/python3/dist-packages/etcd'),
    haproxy: existsSync(programs.haproxy),
    postgresql: findPostgresPrograms() !== undefined,
  };
  const missing = Object.entries(packages).flatMap(([name, isThere]) => (isThere ? [] : [name]));
  return missing.length === 0 ? null : `not installed (Debian: ${missing.join(', ')})`;
}

/** A program that runs in the background. */
export interface RunningProgram {
  readonly pid: number;
  /** `kill -9`; resolves when it has ended. */
  readonly kill: () => Promise<void>;
}

/** Runs programs as the user of Postgres, with their files in one folder. */
export interface ProgramRunner {
  readonly folder: string;
  /** Starts a program, which writes to the file `NAME.log` of the folder. */
  readonly start: (name: string, program: string, args: readonly string[]) => RunningProgram;
  /** Runs a program to its end. @throws Error if it fails */
  readonly run: (program: string, args: readonly string[]) => void;
}

export function createRunner(folder: string, { spawnAs }: ServerUser): ProgramRunner {
  const options = { cwd: folder, env: { PATH: '/usr/sbin:/usr/bin:/bin', LC_ALL: 'C.UTF-8' }, ...spawnAs };
  return {
    folder,
    start(name, program, args) {
      const log = openSync(join(folder, `${name}.log`), 'a');
      const child = spawn(program, args, { ...options, stdio: ['ignore', log, log] });
      closeSync(log);
      const ended = once(child, 'exit');
      return {
        pid: child.pid ?? 0,
        async kill() {
          child.kill('SIGKILL');
          await ended;
        },
      };
    },
    run(program, args) {
      const { status, stdout, stderr } = spawnSync(program, args, { ...options, encoding: 'utf8' });
      if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${stdout}${stderr}`);
    },
  };
}

/** etcd with one member, which starts again with what it knew. */
export async function openEtcd(runner: ProgramRunner): Promise<{
  readonly port: number;
  readonly kill: () => Promise<void>;
  readonly start: () => void;
}> {
  const [port, peerPort] = [await freePort(), await freePort()];
  const [url, peerUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const settings = {
    name: 'etcd',
    'data-dir': join(runner.folder, 'etcd'),
    'listen-client-urls': url,
    'advertise-client-urls': url,
    'listen-peer-urls': peerUrl,
    'initial-advertise-peer-urls': peerUrl,
    'initial-cluster': `etcd=${peerUrl}`,
  };
  const start = () =>
    runner.start(
      'etcd',
      programs.etcd,
      Object.entries(settings).map(([setting, value]) => `--${setting}=${value}`),
    );
  let running = start();
  return { port, kill: () => running.kill(), start: () => (running = start()) };
}
