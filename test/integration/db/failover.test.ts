import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase, withDatabase, type Database } from '../../../db/connection/client.ts';
import { notifyWorkers } from '../../../db/connection/notifier.ts';
import { createClient } from '../../../db/connection/postgres-client.ts';
import { openLeaderLock } from '../../../db/locks/leader-lock.ts';
import { migrate } from '../../../db/migrate.ts';
import { DatabaseUnavailable } from '../../../src/core/errors.ts';
import type { LeaderLock } from '../../../src/core/work/leader-lock.ts';
import {
  freezeNode,
  openReplicatedPostgres,
  promote,
  urlOfBoth,
  type PostgresNode,
  type ReplicatedPostgres,
} from '../../support/db/replicated-postgres.ts';
import { schemaFolder, withClient } from '../../support/db/test-postgres.ts';
import { waitMsMax } from '../../support/wait-bound.ts';

let servers: ReplicatedPostgres;

beforeAll(async () => {
  servers = await openReplicatedPostgres('night');
  await migrate(servers.url, schemaFolder);
});

afterAll(() => servers.close());

/** A server that refuses connections: nothing listens there. */
const absent = { port: 9 };

/** URL for the primary and the standby, and one at which nothing listens, in any order. */
function urlOf(nodes: readonly { readonly port: number }[], attributes: string): string {
  const known = servers.primary();
  return urlOfBoth(
    nodes.map(({ port }) => ({ ...known, port })),
    'night',
    attributes,
  );
}

/** Port of the server that a new connection reaches. */
async function portOf(url: string): Promise<number> {
  const client = createClient({ connectionString: url, application_name: 'test' });
  await client.connect();
  try {
    const { rows } = await client.query<{ port: number }>('SELECT inet_server_port() AS port');
    return rows[0]?.port ?? 0;
  } finally {
    await client.end();
  }
}

function openPool(url: string): Database {
  const pool = openDatabase({
    url,
    role: null,
    connectionsMax: 5,
    name: 'test',
    onIdleError: () => undefined,
  });
  onTestFinished(() => pool.close());
  return pool;
}

describe('a connection', () => {
  type Nodes = { readonly primary: PostgresNode; readonly standby: PostgresNode };
  const nodes = (): Nodes => ({ primary: servers.primary(), standby: servers.standby() });

  test.each<[string, readonly ('primary' | 'standby' | 'absent')[], string, 'primary' | 'standby']>([
    ['the first server', ['standby', 'primary'], 'any', 'standby'],
    ['the next server if the first is away', ['absent', 'primary'], 'any', 'primary'],
    ['the server that accepts writes', ['standby', 'absent', 'primary'], 'read-write', 'primary'],
    ['the primary', ['standby', 'primary'], 'primary', 'primary'],
    ['the standby', ['primary', 'standby'], 'standby', 'standby'],
    ['a server that only reads', ['primary', 'standby'], 'read-only', 'standby'],
    ['a standby rather than the primary', ['primary', 'standby'], 'prefer-standby', 'standby'],
    ['the primary without a standby', ['absent', 'primary'], 'prefer-standby', 'primary'],
  ])('goes to %s', async (_, order, attributes, expected) => {
    const all = { ...nodes(), absent };
    const url = urlOf(
      order.map((name) => all[name]),
      attributes,
    );
    expect(await portOf(url)).toBe(nodes()[expected].port);
  });

  test('fails with the state of each server when none accepts writes', async () => {
    const { standby } = nodes();
    const pool = openPool(urlOf([standby, absent], 'read-write'));
    const failed = withDatabase(() => pool.sql.execute(sql`SELECT 1`));
    await expect(failed).rejects.toThrow(DatabaseUnavailable);
    await expect(failed).rejects.toThrow(
      `No server of the Postgres URL accepts writes: 127.0.0.1:${standby.port} is a standby, 127.0.0.1:9 is unreachable.`,
    );
  });

  test('checks the only server as well', async () => {
    const { standby } = nodes();
    await expect(portOf(urlOf([standby], 'read-write'))).rejects.toThrow(
      /accepts writes: 127\.0\.0\.1:\d+ is read-only/,
    );
  });

  test('does not look for another server when its login is rejected', async () => {
    const { primary, standby } = nodes();
    const url = urlOf([standby, primary], 'any').replace(/:[^:@]+@/, ':wrong@');
    await expect(portOf(url)).rejects.toMatchObject({ code: '28P01' });
  });

  test('that finds its server read-only is replaced, and the statement counts as not run', async () => {
    const { primary } = nodes();
    const pool = openPool(urlOf([primary], 'any'));
    await withClient(primary.url, (client) =>
      client.query('ALTER DATABASE night SET default_transaction_read_only = on'),
    );
    const grant = sql`UPDATE nightshift.accounts SET name = name`;
    await expect(withDatabase(() => pool.sql.execute(grant))).rejects.toThrow(DatabaseUnavailable);
    await withClient(primary.url, (client) =>
      client.query('ALTER DATABASE night RESET default_transaction_read_only'),
    );
    await expect(withDatabase(() => pool.sql.execute(grant))).resolves.toBeDefined();
  });
});

test('a COMMIT whose wait for the standby is cancelled is not taken for done', async () => {
  const pool = openPool(servers.url);
  freezeNode(servers.standby());
  try {
    const written = withDatabase(() =>
      pool.sql.execute(sql`UPDATE nightshift.accounts SET name = name RETURNING pg_backend_pid()`),
    );
    const ended = expect(written).rejects.toThrow(DatabaseUnavailable);
    await withClient(servers.primary().url, (client) =>
      vi.waitUntil(
        async () => {
          const { rowCount } = await client.query(
            "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
          );
          return rowCount === 1;
        },
        { timeout: waitMsMax, interval: 20 },
      ),
    );
    await ended;
  } finally {
    freezeNode(servers.standby(), 'SIGCONT');
  }
});

test(
  'after a failover connections, LISTEN and the leader lock come back, and the lock has one holder',
  { timeout: 240_000 },
  async () => {
    const pool = openPool(servers.url);
    await pool.sql.execute(sql`SELECT 1`);
    const stop = new AbortController();
    const holders: { readonly name: string; readonly at: number; until: number | null }[] = [];
    const work = ['first', 'second'].map((name) => holdRepeatedly(name, holders, stop.signal));
    await vi.waitUntil(() => holders.length === 1, { timeout: waitMsMax });
    const promotedAtMs = await servers.failOver();
    await vi.waitUntil(() => holders.length >= 2, { timeout: waitMsMax });
    const takenAtMs = holders[1]?.at ?? 0;
    process.stderr.write(`  leader lock taken ${takenAtMs - promotedAtMs} ms after the promotion\n`);
    expect(takenAtMs - promotedAtMs).toBeLessThan(15_000);
    // Its notifications arrive on the new server: without one, the holder would wait for an hour.
    await vi.waitFor(() => withDatabase(() => pool.sql.execute(sql`SELECT 1`)), { timeout: waitMsMax });
    const before = heard;
    await vi.waitUntil(
      async () => {
        await notifyWorkers(pool.sql);
        return heard > before;
      },
      { timeout: waitMsMax, interval: 100 },
    );
    stop.abort();
    await Promise.all(work);
    holders.slice(1).forEach(({ at }, i) => expect(at).toBeGreaterThanOrEqual(holders[i]?.until ?? Infinity));
    await servers.repair();
  },
);

test(
  'a primary that freezes with open connections keeps no statement waiting after the promotion',
  { timeout: 240_000 },
  async () => {
    const pool = openPool(servers.url);
    await pool.sql.execute(sql`SELECT 1`);
    const lock = openLeaderLock({ url: servers.url, role: 'nightshift_app', leaseMs: 2000 });
    onTestFinished(() => lock.leave());
    await lock.take(new AbortController().signal);
    const frozenAtMs = performance.now();
    freezeNode(servers.primary());
    // Its own server would release the lock in a lease, and could not say so.
    await expect(lock.wait(3_600_000, new AbortController().signal)).rejects.toThrow('did not answer');
    expect(performance.now() - frozenAtMs).toBeLessThan(6000);
    const pending = withDatabase(() => pool.sql.execute(sql`SELECT 1`)).catch((error: unknown) => error);
    await promote(servers.standby());
    const promotedAtMs = performance.now();
    expect(await pending).toBeInstanceOf(DatabaseUnavailable);
    await vi.waitFor(
      () => withDatabase(() => pool.sql.execute(sql`UPDATE nightshift.accounts SET name = name`)),
      {
        timeout: waitMsMax,
        interval: 100,
      },
    );
    // Without the check of the server, the system would wait for a quarter of an hour.
    expect(performance.now() - promotedAtMs).toBeLessThan(60_000);
    process.stderr.write(
      `  goes on ${Math.round(performance.now() - promotedAtMs)} ms after the promotion\n`,
    );
  },
);

let heard = 0;

/** Takes the leader lock again and again, as a dispatcher does, and notes when it held it. */
async function holdRepeatedly(
  name: string,
  holders: { readonly name: string; readonly at: number; until: number | null }[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const lock: LeaderLock = openLeaderLock({ url: servers.url, role: 'nightshift_app', leaseMs: 5000 });
    let held: (typeof holders)[number] | null = null;
    try {
      await lock.take(signal);
      held = { name, at: Date.now(), until: null };
      holders.push(held);
      for (;;) {
        await lock.wait(3_600_000, signal);
        heard += 1;
      }
    } catch {
      if (held !== null) held.until = Date.now();
    } finally {
      await lock.leave();
    }
    await wait(100);
  }
}
