import assert from 'node:assert/strict';
import { onTestFinished, vi } from 'vitest';
import { openDatabase } from '../../../db/client.ts';
import { migrate } from '../../../db/migrate.ts';
import { ensurePrivateServer } from '../../../src/infra/private-postgres/index.ts';
import type { TestDatabase } from '../database.ts';
import { createHomes } from '../private-postgres-homes.ts';
import { migrationsFolder, withClient } from '../test-postgres.ts';

/** A Postgres of one test's own, as durable as ours is for people, and its one migrated database. */
export interface OwnPostgres {
  readonly database: TestDatabase;
  /** An immediate shutdown, as after a crash, and a start on the same port with the same data. */
  readonly restart: () => Promise<void>;
}

/** Starts it; it goes, with its data, when the test ends. */
export async function openOwnPostgres(): Promise<OwnPostgres> {
  const homes = createHomes();
  onTestFinished(homes.clear);
  const home = await homes.make();
  let server = await ensurePrivateServer({ home });
  await withClient(server.url('postgres', 'postgres'), (client) => client.query('CREATE DATABASE storm'));
  const url = server.url('postgres', 'storm');
  await migrate(url, migrationsFolder);

  async function restart(): Promise<void> {
    const { pid, port } = server;
    process.kill(pid, 'SIGQUIT');
    await vi.waitUntil(() => !isAlive(pid), { timeout: 30_000, interval: 5 });
    server = await ensurePrivateServer({ home });
    assert.deepEqual([server.port, server.adopted], [port, false], 'Postgres came back as it was.');
  }

  return { database: openPools(url), restart };
}

function openPools(url: string): TestDatabase {
  const options = { url, connectionsMax: 5, name: 'nightshift test', onIdleError: () => undefined };
  const app = openDatabase({ ...options, role: 'nightshift_app' });
  const owner = openDatabase({ ...options, role: null });
  onTestFinished(async () => void (await Promise.all([app.close(), owner.close()])));
  return { url, app, owner };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
