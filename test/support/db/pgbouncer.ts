import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { readServerUser } from '../../../src/postgres-server/system/server-user.ts';
import { freePort } from '../queue/test-redis.ts';
import { waitMsMax } from '../wait-bound.ts';
import { withClient } from './test-postgres.ts';

/** PgBouncer in transaction mode. */
export interface PgBouncer {
  /** Returns the URL of a login of `logins` for the database, through the pooler. */
  readonly url: (login: string) => string;
  /** Transactions that went through it to the database. */
  readonly countTransactions: () => Promise<number>;
  readonly close: () => Promise<void>;
}

export interface PgBouncerOptions {
  /** URL of the database. */
  readonly target: string;
  /** Passwords of the logins, by name. */
  readonly logins: Readonly<Record<string, string>>;
  /** Server connections of each login: few, so that clients share them. */
  readonly poolSize: number;
  /** Startup parameters that it ignores instead of rejecting them. */
  readonly ignored?: string;
}

const program = '/usr/sbin/pgbouncer';

/** Returns null if Debian's package `pgbouncer` is installed; otherwise the reason. */
export function pgBouncerUnavailableReason(): string | null {
  return existsSync(program) ? null : `${program} not installed (Debian: pgbouncer)`;
}

/** Starts a separate PgBouncer on loopback in its own folder. The caller closes it. */
export async function openPgBouncer({
  target,
  logins,
  poolSize,
  ignored = '',
}: PgBouncerOptions): Promise<PgBouncer> {
  // As root it runs as another user, who cannot enter the user's temporary folder.
  const folder = mkdtempSync('/tmp/nightshift-pgbouncer-');
  chmodSync(folder, 0o755);
  const port = await freePort();
  const { hostname, port: targetPort, pathname } = new URL(target);
  const settings = `[databases]
* = host=${hostname} port=${targetPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'logins')}
stats_users = ${Object.keys(logins).join(', ')}
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 500
ignore_startup_parameters = ${ignored}
`;
  writeFileSync(join(folder, 'settings'), settings);
  const lines = Object.entries(logins).map(([login, password]) => `"${login}" "${password}"\n`);
  writeFileSync(join(folder, 'logins'), lines.join(''));
  const { spawnAs } = await readServerUser(undefined);
  let log = '';
  const child = spawn(program, [join(folder, 'settings')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...spawnAs,
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const [first = ''] = Object.keys(logins);
  const urlOf = (login: string, path: string) =>
    `postgres://${login}:${encodeURIComponent(logins[login] ?? '')}@127.0.0.1:${port}${path}`;
  await vi
    .waitFor(() => withClient(urlOf(first, '/pgbouncer'), (client) => client.query('SHOW VERSION')), {
      timeout: waitMsMax,
      interval: 50,
    })
    .catch((error: unknown) => {
      throw new Error(`PgBouncer did not start: ${log}`, { cause: error });
    });
  return {
    url: (login) => urlOf(login, pathname),
    countTransactions: async () => {
      const { rows } = await withClient(urlOf(first, '/pgbouncer'), (client) =>
        client.query<{ database: string; total_xact_count: string }>('SHOW STATS'),
      );
      return Number(rows.find(({ database }) => `/${database}` === pathname)?.total_xact_count ?? 0);
    },
    close: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
