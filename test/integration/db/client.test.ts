import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { expect, inject, onTestFinished, test } from 'vitest';
import { readAtOnce, withDatabase } from '../../../db/connection/client.ts';
import { openTestDatabase, openTestPool } from '../../support/db/database.ts';
import { openPostgresProxy } from '../../support/db/postgres-proxy.ts';
import { withClient } from '../../support/db/test-postgres.ts';

test('a full server of several is not reported as unreachable', async () => {
  const { url } = await openTestDatabase();
  const login = `full_${randomBytes(6).toString('hex')}`;
  await withClient(url, (client) =>
    client.query(`CREATE ROLE ${login} LOGIN PASSWORD 'full' CONNECTION LIMIT 0`),
  );
  onTestFinished(() =>
    withClient(inject('postgresUrl'), async (client) => void (await client.query(`DROP ROLE ${login}`))),
  );
  const { host, pathname } = new URL(url);
  const both = `postgres://${login}:full@${host},127.0.0.1:9${pathname}?target_session_attrs=read-write`;
  const asked = withDatabase(() => openTestPool(both, { role: null }).pool.query('SELECT 1'));
  await expect(asked).rejects.toThrow(`${host} has no connection left, 127.0.0.1:9 is unreachable`);
});

test('a transaction without a connection at BEGIN returns its connection to the pool', async () => {
  const proxy = await openPostgresProxy((await openTestDatabase()).url);
  const database = openTestPool(proxy.url, { connectionsMax: 1 });
  proxy.cutNextBegin();
  await expect(
    database.sql.transaction((transaction) => transaction.execute(sql`SELECT 1`)),
  ).rejects.toThrow();
  expect(proxy.cuts()).toBe(1);
  const after = await database.sql.transaction((transaction) => transaction.execute(sql`SELECT 1 AS one`));
  expect(after.rows).toEqual([{ one: 1 }]);
});

test('an idle transaction ends after the limit, with its locks', async () => {
  const { url } = await openTestDatabase();
  const [frozen, other] = [openTestPool(url, { transactionIdleMsMax: 100 }), openTestPool(url)];
  const account = sql`SELECT 1 FROM nightshift.accounts WHERE name = 'default' FOR UPDATE`;
  await expect(
    frozen.sql.transaction(async (transaction) => {
      await transaction.execute(account);
      const waited = await other.sql.transaction((next) => next.execute(account));
      expect(waited.rows).toHaveLength(1);
      await transaction.execute(account);
    }),
  ).rejects.toThrow();
});

test('a read-only snapshot has no idle limit', async () => {
  const { sql: db } = openTestPool((await openTestDatabase()).url, { transactionIdleMsMax: 100 });
  const counts = await readAtOnce(db, async (transaction) => {
    await transaction.execute(sql`SELECT 1`);
    await wait(400);
    return transaction.execute(sql`SELECT count(*)::integer AS n FROM nightshift.batches`);
  });
  expect(counts.rows).toEqual([{ n: 0 }]);
});
