import { DrizzleQueryError, sql, type SQL } from 'drizzle-orm';
import type { TestDatabase } from '../db/database.ts';

const triesMax = 5;

/** Deletes every job of a queue on Postgres, like an administrator at a console. Returns the number of emptied tables. */
export async function emptyQueueTables(database: TestDatabase): Promise<number> {
  const tables = await database.owner.sql.execute<{ name: string }>(
    sql`SELECT format('bullmq.%I', tablename) AS name FROM pg_tables WHERE schemaname = 'bullmq' AND tablename <> 'migration'`,
  );
  const names = tables.rows.map(({ name }) => name).join(', ');
  await sendFromConsole(database, sql.raw(`TRUNCATE ${names} CASCADE`));
  return tables.rows.length;
}

/** Drops the schema of the queue, like an administrator at a console. */
export async function dropQueueSchema(database: TestDatabase): Promise<void> {
  await sendFromConsole(database, sql`DROP SCHEMA bullmq CASCADE`);
}

/**
 * Such a statement locks all tables one after the other, while workers lock some of them in another order. Postgres ends either
 * side of a deadlock; the administrator would repeat the statement.
 */
async function sendFromConsole({ owner }: TestDatabase, statement: SQL): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      await owner.sql.execute(statement);
      return;
    } catch (error) {
      if (tried === triesMax || !isDeadlock(error)) throw error;
    }
  }
}

function isDeadlock(error: unknown): boolean {
  if (!(error instanceof DrizzleQueryError)) return false;
  return (error.cause as { readonly code?: string } | undefined)?.code === '40P01';
}
