import assert from 'node:assert/strict';
import { onTestFinished, vi } from 'vitest';
import { migrate } from '../../../db/migrate.ts';
import { ensurePrivateServer } from '../../../src/postgres-server/index.ts';
import { openTestPools, type TestDatabase } from '../db/database.ts';
import { createHomes } from '../db/private-postgres-folders.ts';
import { schemaFolder, withClient } from '../db/test-postgres.ts';
import { waitMsMax } from '../wait-bound.ts';

/** A Postgres for one test, with the durability of production, and its one migrated database. */
export interface OwnPostgres {
  readonly database: TestDatabase;
  /** Shuts it down immediately, like a crash, and starts it on the same port with the same data. */
  readonly restart: () => Promise<void>;
}

/** Starts it; the end of the test removes it with its data. */
export async function openOwnPostgres(): Promise<OwnPostgres> {
  const homes = createHomes();
  onTestFinished(homes.clear);
  const home = await homes.make();
  let server = await ensurePrivateServer({ home });
  await withClient(server.url('postgres', 'postgres'), (client) => client.query('CREATE DATABASE storm'));
  const url = server.url('postgres', 'storm');
  await migrate(url, schemaFolder);

  async function restart(): Promise<void> {
    const { pid, port } = server;
    process.kill(pid, 'SIGQUIT');
    await vi.waitUntil(() => !isAlive(pid), { timeout: waitMsMax, interval: 5 });
    server = await ensurePrivateServer({ home });
    assert.deepEqual([server.port, server.adopted], [port, false], 'Postgres came back as it was.');
  }

  const database = openTestPools(url);
  onTestFinished(database.close);
  return { database, restart };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
