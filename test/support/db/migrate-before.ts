import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import type pg from 'pg';
import { onTestFinished } from 'vitest';
import { schemaFolder, withClient } from './test-postgres.ts';

/** Applies the migrations before one of them to an empty database, then stores a record in the form of that time. */
export async function migrateBefore<T>(
  url: string,
  tag: string,
  store: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'nightshift-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(join(schemaFolder, 'migrations'), folder, { recursive: true });
  const journalFile = join(folder, 'meta/_journal.json');
  const journal = JSON.parse(await readFile(journalFile, 'utf8')) as { entries: { tag: string }[] };
  const end = journal.entries.findIndex((entry) => entry.tag === tag);
  await writeFile(journalFile, JSON.stringify({ ...journal, entries: journal.entries.slice(0, end) }));
  return withClient(url, async (client) => {
    await applyMigrations(drizzle(client), {
      migrationsFolder: folder,
      migrationsSchema: 'nightshift',
      migrationsTable: 'migrations',
    });
    return store(client);
  });
}
