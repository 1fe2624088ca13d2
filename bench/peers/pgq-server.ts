import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../test/support/queue/test-redis.ts';
import type { Closers } from '../../src/closers.ts';
import { readServerUser } from '../../src/postgres-server/system/server-user.ts';
import { connect } from '../support/bench-server.ts';
import { expectEqual } from '../support/expect.ts';
import type { PeerServer } from './servers.ts';

const binaries = '/usr/lib/postgresql/15/bin';
const extension = '/usr/share/postgresql/15/extension/pgq.control';

/** Folder of the programs of a Postgres with PgQ, as Debian installs them; null without it. */
export function findPgq(): string | null {
  return existsSync(extension) && existsSync(join(binaries, 'initdb')) ? binaries : null;
}

/** Starts a Postgres with PgQ in a new folder, with default and so durable settings. */
export async function openPgqServer(folder: string, closers: Closers): Promise<PeerServer> {
  const { spawnAs, uid, gid } = await readServerUser(undefined);
  await mkdir(folder);
  await chown(folder, uid, gid);
  const data = join(folder, 'data');
  const made = spawnSync(
    join(binaries, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8'],
    {
      ...spawnAs,
      cwd: folder,
      stdio: 'ignore',
    },
  );
  expectEqual('The exit code of initdb', made.status, 0);
  const port = await freePort();
  const child = spawn(
    join(binaries, 'postgres'),
    ['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1'],
    { ...spawnAs, cwd: folder, stdio: 'ignore' },
  );
  const ended = once(child, 'exit');
  closers.add(child, async () => {
    child.kill('SIGINT');
    await ended;
  });
  const databaseUrl = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await untilReady(databaseUrl);
  return { databaseUrl, pid: child.pid ?? 0 };
}

const attemptsMax = 300;

async function untilReady(url: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await (await connect(url)).end();
      return;
    } catch (error) {
      if (attempt === attemptsMax) throw error;
      await sleep(100);
    }
  }
}
