import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import type pg from 'pg';
import { onTestFinished } from 'vitest';
import { schemaFolder, withClient } from './test-postgres.ts';

/** Applies the migrations before the named one to an empty database, and returns what `work` returns. */
export async function withEarlierSchema<T>(
  url: string,
  migration: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'nightshift-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(join(schemaFolder, 'migrations'), folder, { recursive: true });
  const journalFile = join(folder, 'meta/_journal.json');
  const journal = JSON.parse(await readFile(journalFile, 'utf8')) as { entries: { tag: string }[] };
  const end = journal.entries.findIndex(({ tag }) => tag === migration);
  await writeFile(journalFile, JSON.stringify({ ...journal, entries: journal.entries.slice(0, end) }));
  return withClient(url, async (client) => {
    await applyAll(client, folder);
    return work(client);
  });
}

/** Repeats the migrations if another file migrates at the same moment: roles belong to the server (`db/migrate.ts`). */
async function applyAll(client: pg.Client, folder: string, attempt = 1): Promise<void> {
  try {
    await applyMigrations(drizzle(client), {
      migrationsFolder: folder,
      migrationsSchema: 'nightshift',
      migrationsTable: 'migrations',
    });
  } catch (error) {
    const isConflict = error instanceof Error && String(error.cause).includes('concurrently');
    if (!isConflict || attempt === 10) throw error;
    await applyAll(client, folder, attempt + 1);
  }
}
