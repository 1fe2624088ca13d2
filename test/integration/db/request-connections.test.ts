import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { sendLast, sendTogether, shortTransaction } from '../../../db/connection/short-transaction.ts';
import { LeaseLost } from '../../../src/core/errors.ts';
import { openTestDatabase, openTestPool } from '../../support/db/database.ts';

const readNothing = sql`SELECT 1`;
const note = (key: string) =>
  sql`INSERT INTO nightshift.rate_limits (key, points) VALUES (${key}, 1) RETURNING key`;

describe.each([
  ['of a request', true],
  ['of any other kind', false],
])('a short transaction on a connection %s', (_, isForRequests) => {
  test('commits all statements and returns the result', async () => {
    const { sql: db } = await openPool(isForRequests);
    const result = await shortTransaction(db, async (transaction) => {
      await transaction.execute(readNothing);
      await sendTogether(transaction, [
        async () => void (await transaction.execute(note('a'))),
        async () => void (await transaction.execute(note('b'))),
      ]);
      await sendLast(transaction, note('c'));
      return 'done';
    });
    expect(result).toBe('done');
    expect(await keysIn(db)).toEqual(['a', 'b', 'c']);
  });

  test('takes no effect when its last statement fails', async () => {
    const { sql: db } = await openPool(isForRequests);
    const failing = shortTransaction(db, async (transaction) => {
      await transaction.execute(readNothing);
      await transaction.execute(note('a'));
      await sendLast(transaction, sql`SELECT 1 / ${0}::integer`);
    });
    await expect(failing).rejects.toMatchObject({ cause: { message: 'division by zero' } });
    expect(await keysIn(db)).toEqual([]);
  });

  test('reports the first of the errors of statements that were sent together', async () => {
    const { sql: db } = await openPool(isForRequests);
    const failing = shortTransaction(db, async (transaction) => {
      await transaction.execute(readNothing);
      await sendTogether(transaction, [
        async () => void (await transaction.execute(sql`SELECT 1 / ${0}::integer`)),
        async () => void (await transaction.execute(note('a'))),
      ]);
    });
    await expect(failing).rejects.toMatchObject({ cause: { message: 'division by zero' } });
    expect(await keysIn(db)).toEqual([]);
  });

  test('is rolled back by an error of the program, and keeps its connection', async () => {
    const { sql: db, pool } = await openPool(isForRequests);
    const failing = shortTransaction(db, async (transaction) => {
      await transaction.execute(note('a'));
      throw new LeaseLost('Another process has it.');
    });
    await expect(failing).rejects.toBeInstanceOf(LeaseLost);
    expect(pool.totalCount).toBe(1);
    expect(await keysIn(db)).toEqual([]);
  });
});

test('a short transaction whose BEGIN fails sends no second statement', async () => {
  const { sql: db, pool } = await openPool(true);
  let isFirst = true;
  pool.on('connect', (client) => {
    if (!isFirst) return;
    isFirst = false;
    const query = client.query.bind(client);
    Object.assign(client, {
      query: (config: { readonly text: string }, values: unknown): unknown =>
        config.text === 'begin'
          ? Promise.reject(new Error('canceled'))
          : Reflect.apply(query, client, [config, values]),
    });
  });
  let statements = 0;
  const failing = shortTransaction(db, async (transaction) => {
    await transaction.execute(readNothing);
    statements += 1;
  });
  await expect(failing).rejects.toMatchObject({ cause: { message: 'canceled' } });
  expect(statements).toBe(0);
  expect(
    await shortTransaction(db, async (transaction) => (await transaction.execute(readNothing)).rows),
  ).toHaveLength(1);
});

describe('a connection for requests', () => {
  test('prepares a statement with parameters once', async () => {
    const { sql: db } = await openPool(true);
    for (const n of [1, 2, 3]) await db.execute(sql`SELECT ${n}::integer AS n`);
    const { rows } = await db.execute<{ statement: string; plans: number }>(
      sql`SELECT statement, generic_plans::integer AS plans FROM pg_prepared_statements`,
    );
    expect(rows).toEqual([{ statement: 'SELECT $1::integer AS n', plans: 3 }]);
  });

  test('is replaced when a prepared statement has become invalid', async () => {
    const { sql: db, owner } = await openPool(true);
    await owner.query('CREATE VIEW nightshift.changing AS SELECT 1 AS one');
    await owner.query('GRANT SELECT ON nightshift.changing TO nightshift_app');
    const read = () => db.execute(sql`SELECT * FROM nightshift.changing WHERE one = ${1}::integer`);
    await read();
    await owner.query('CREATE OR REPLACE VIEW nightshift.changing AS SELECT 1 AS one, 2 AS two');
    await expect(read()).rejects.toMatchObject({ cause: { code: '0A000' } });
    expect((await read()).rows).toEqual([{ one: 1, two: 2 }]);
  });
});

async function openPool(isForRequests: boolean) {
  const { url, owner } = await openTestDatabase();
  const { sql: db, pool } = openTestPool(url, { isForRequests, connectionsMax: 1 });
  return { sql: db, pool, owner: owner.pool };
}

async function keysIn(db: Awaited<ReturnType<typeof openPool>>['sql']): Promise<readonly string[]> {
  const { rows } = await db.execute<{ key: string }>(
    sql`SELECT key FROM nightshift.rate_limits ORDER BY key`,
  );
  return rows.map(({ key }) => key);
}
