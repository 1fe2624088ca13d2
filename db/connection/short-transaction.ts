import { Socket } from 'node:net';
import { sql, type SQL } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { EnrichError } from '../../src/core/errors.ts';
import type { Sql } from './client.ts';
import { isDatabaseAway } from './database-away.ts';

/** The statements of short transactions that were sent and not awaited. */
const sentBy = new WeakMap<Sql, Promise<unknown>[]>();

/**
 * Runs a transaction in fewer round trips, if the connections of `db` pipeline: BEGIN is sent with its first statement, COMMIT with the one
 * of `sendLast`, and those of `sendTogether` at once. The first statement must not write: it runs before BEGIN is known to have succeeded.
 *
 * `onCommitting` is called when COMMIT is sent. On other connections it is a usual transaction.
 */
export async function shortTransaction<T>(
  db: NodePgDatabase,
  work: (transaction: Sql) => Promise<T>,
  onCommitting: () => void = () => undefined,
): Promise<T> {
  const pool = '$client' in db ? db.$client : null;
  if (!(pool instanceof pg.Pool)) return db.transaction(work);
  const client = await pool.connect();
  let isUsable = true;
  try {
    return await (client.pipeline
      ? inPipeline(client, work, onCommitting)
      : drizzle(client).transaction(work));
  } catch (error) {
    // Any other error may be about a statement that the connection keeps prepared.
    isUsable = error instanceof EnrichError && !isDatabaseAway(error);
    throw error;
  } finally {
    client.release(!isUsable);
  }
}

async function inPipeline<T>(
  client: pg.PoolClient,
  work: (transaction: Sql) => Promise<T>,
  onCommitting: () => void,
): Promise<T> {
  const db = drizzle(client);
  const executeNow: NodePgDatabase['execute'] = db.execute.bind(db);
  const execute = (query: SQL | string) => {
    writeTogether(client);
    return send(() => executeNow(query));
  };
  const begun = execute(sql`begin`);
  // After the answer to BEGIN, which comes first: without a transaction, no second statement is sent.
  const transaction: NodePgDatabase = Object.assign(db, {
    execute: (query: SQL | string) => {
      const answered = execute(query);
      return begun.then(() => answered);
    },
  });
  const sent: Promise<unknown>[] = [];
  sentBy.set(transaction, sent);
  try {
    const result = await work(transaction);
    // Behind a statement that failed it is a ROLLBACK.
    sent.push(execute(sql`commit`));
    onCommitting();
    await allOf(sent);
    return result;
  } catch (error) {
    await Promise.allSettled([begun, ...sent]);
    await execute(sql`rollback`).catch(() => undefined);
    throw error;
  }
}

/** Sends the last statement of a transaction. A short transaction sends COMMIT with it, and fails if it fails. */
export async function sendLast(db: Sql, query: SQL): Promise<void> {
  const sent = sentBy.get(db);
  const answered = send(() => db.execute(query));
  if (sent === undefined) await answered;
  else sent.push(answered);
}

/**
 * Runs steps that need no results of one another: in a short transaction all at once, else in turn. Postgres runs their first statements in the
 * order of the steps, so each sees what the first statements before it have written.
 */
export async function sendTogether(db: Sql, steps: readonly (() => Promise<void>)[]): Promise<void> {
  if (sentBy.has(db)) await allOf(steps.map(send));
  else for (const step of steps) await step();
}

/** Holds back the bytes of a connection until the end of the current turn, so that its statements need one call of the system. */
function writeTogether(client: pg.ClientBase): void {
  const stream: unknown = 'connection' in client ? Reflect.get(Object(client.connection), 'stream') : null;
  if (!(stream instanceof Socket)) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** Starts a step whose error is reported later. Drizzle's own promises would run a statement again for each `then`. */
function send<T>(step: () => Promise<T>): Promise<T> {
  const answered = Promise.resolve(step());
  answered.catch(() => undefined);
  return answered;
}

/** Waits for all, and rejects with the first error in their order. */
async function allOf(answers: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(answers);
  await Promise.all(answers);
}
