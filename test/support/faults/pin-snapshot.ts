import pg from 'pg';
import { onTestFinished } from 'vitest';
import type { TestDatabase } from '../db/database.ts';

/** Opens a transaction that keeps every row version from now on. Returns a function that ends it. */
export async function pinSnapshot(database: TestDatabase): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  let isOpen = true;
  const end = async () => {
    if (!isOpen) return;
    isOpen = false;
    // The server may notice the end of the connection later.
    await client.query('COMMIT');
    await client.end();
  };
  onTestFinished(end);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await client.query('SELECT pg_current_xact_id(), count(*) FROM nightshift.batches');
  return end;
}
