import { DrizzleQueryError, sql, type SQL } from 'drizzle-orm';
import type { TestDatabase } from '../db/database.ts';

const triesMax = 5;

/** Throws every job of a queue on Postgres away, as somebody with an administrator's console would. Answers how many tables it emptied. */
export async function emptyQueueTables(database: TestDatabase): Promise<number> {
  const tables = await database.owner.sql.execute<{ name: string }>(
    sql`SELECT format('bullmq.%I', tablename) AS name FROM pg_tables WHERE schemaname = 'bullmq' AND tablename <> 'migration'`,
  );
  const names = tables.rows.map(({ name }) => name).join(', ');
  await sendFromConsole(database, sql.raw(`TRUNCATE ${names} CASCADE`));
  return tables.rows.length;
}

/** Takes the whole schema of the queue away, in the same manner. */
export async function dropQueueSchema(database: TestDatabase): Promise<void> {
  await sendFromConsole(database, sql`DROP SCHEMA bullmq CASCADE`);
}

/**
 * Such a statement locks all tables, one after the other, while workers lock some of them in another order. Of two that wait for each
 * other Postgres ends either one, by chance; the person at the console would send theirs again.
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
