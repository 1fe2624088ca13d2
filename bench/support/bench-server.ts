import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../db/migrate.ts';
import type { Closers } from '../../src/closers.ts';
import {
  ensurePrivateServer,
  stopPrivateServer,
  type PrivateServer,
} from '../../src/postgres-server/index.ts';
import { schemaFolder } from '../../src/package-root.ts';
import { say } from './say.ts';
import { removeFolder } from './workplace.ts';

/** Opens the private server of a home: the product's launcher with its default, durable settings, and a migrated database. */
export async function openBenchServer(home: string, closers: Closers): Promise<PrivateServer> {
  const server = await openServer(home, closers);
  await migrate(server.url('nightshift_owner'), schemaFolder);
  return server;
}

/** Starts the private server of a home; the end of the benchmark stops it and removes its data. */
export async function openServer(home: string, closers: Closers): Promise<PrivateServer> {
  await mkdir(home, { mode: 0o755 });
  const starting = ensurePrivateServer({ home, onProgress: say, settings: extraSettings() });
  closers.add(home, async () => {
    const server = await starting.catch(() => null);
    await stopPrivateServer({ home, force: true });
    if (server !== null) await removeData(server);
  });
  return starting;
}

/** Removes the server's data outside of the home: its data folder, if the server's user cannot enter the home. */
async function removeData({ home, dataFolder }: PrivateServer): Promise<void> {
  if (!dataFolder.startsWith(home)) await removeFolder(join(dataFolder, '..'));
}

/** `NIGHTSHIFT_BENCH_PG`: settings for an investigation, `name=value` separated by semicolons. Not for published results. */
function extraSettings(): Readonly<Record<string, string>> {
  const pairs = (process.env['NIGHTSHIFT_BENCH_PG'] ?? '').split(';').filter((pair) => pair.includes('='));
  return Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
}

/** Runs `work` on a separate connection. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connect(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Opens a separate connection; `options` are settings of its session. A lost connection fails the next query and does not crash
 * the process.
 */
export async function connect(url: string, options = ''): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'nightshift bench', options });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Settles the database before a measured run: no dead rows, fresh statistics, nothing left to flush. */
export function settleDatabase(server: PrivateServer): Promise<void> {
  return settle(server.url('postgres'));
}

/** Settles the database of any server. */
export async function settle(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query('VACUUM (ANALYZE)');
    await client.query('CHECKPOINT');
  });
}
