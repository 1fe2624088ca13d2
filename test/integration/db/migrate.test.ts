import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../db/connection/client.ts';
import { countPendingMigrations, migrate } from '../../../db/migrate.ts';
import { inDatabase, migrationsFolder, withClient } from '../../support/db/test-postgres.ts';

interface Journal {
  readonly entries: readonly { readonly tag: string; readonly when: number }[];
}

test('four processes that migrate at once all succeed, and one of them did it', async () => {
  const { url } = await createEmptyDatabase();
  const reports = await Promise.all(Array.from({ length: 4 }, () => migrate(url, migrationsFolder)));
  const { entries } = await readJournal(migrationsFolder);
  const names = entries.map(({ tag }) => tag);
  expect(reports.map(({ total }) => total)).toEqual([names.length, names.length, names.length, names.length]);
  expect(reports.map(({ applied }) => applied).sort((a, b) => b.length - a.length)).toEqual([
    names,
    [],
    [],
    [],
  ]);
});

test('databases of one server that are migrated at once share their roles', async () => {
  const databases = [];
  for (let n = 0; n < 4; n += 1) databases.push(await createEmptyDatabase());
  const reports = await Promise.all(databases.map(({ url }) => migrate(url, migrationsFolder)));
  expect(reports.map(({ applied, total }) => applied.length === total)).toEqual([true, true, true, true]);
});

test.each(['ALTER ROLE $ SET search_path = public', 'SELECT 1'])(
  'a role that another session changes at the same moment is tried again (%s before)',
  async (before) => {
    const { url } = await createEmptyDatabase();
    const folder = await copyMigrations();
    const last = join(folder, '0004_reports.sql');
    const rival = `rival_${randomBytes(6).toString('hex')}`;
    await withClient(url, (client) => client.query(`CREATE ROLE ${rival}; ${before.replace('$', rival)}`));
    onTestFinished(() =>
      withClient(url, (client) => client.query(`DROP ROLE ${rival}`)).then(() => undefined),
    );
    await writeFile(
      last,
      `${await readFile(last, 'utf8')};
SELECT pg_sleep(0.3);
ALTER ROLE ${rival} SET statement_timeout = '1min';
`,
    );
    const migrating = migrate(url, folder);
    await withClient(inject('postgresUrl'), async (client) => {
      await client.query('BEGIN');
      await client.query(`ALTER ROLE ${rival} SET statement_timeout = '2min'`);
      await client.query('SELECT pg_sleep(1)');
      await client.query('COMMIT');
    });
    expect((await migrating).applied).toHaveLength((await readJournal(folder)).entries.length);
  },
);

test('what a database lacks is counted, before, between and after', async () => {
  const { url, countPending } = await createEmptyDatabase();
  const { entries } = await readJournal(migrationsFolder);
  expect(await countPending()).toBe(entries.length);
  await migrate(url, await copyMigrations((journal) => ({ entries: journal.entries.slice(0, 4) })));
  expect(await countPending()).toBe(entries.length - 4);
  expect(await migrate(url, migrationsFolder)).toEqual({
    applied: entries.slice(4).map(({ tag }) => tag),
    total: entries.length,
  });
  expect(await countPending()).toBe(0);
});

test('while another process makes the schema, everything is still lacking', async () => {
  const { url, countPending } = await createEmptyDatabase();
  await withClient(url, (client) => client.query('CREATE SCHEMA nightshift'));
  expect(await countPending()).toBe((await readJournal(migrationsFolder)).entries.length);
});

test('a journal out of order is refused, because the late-comer would be skipped without a word', async () => {
  const { url, countPending } = await createEmptyDatabase();
  const folder = await copyMigrations(({ entries }) => ({
    entries: entries.map((entry, i) => (i === 2 ? { ...entry, when: (entries[0]?.when ?? 1) - 1 } : entry)),
  }));
  const expected = { code: 'misconfigured', message: expect.stringContaining('0002_') as string };
  await expect(migrate(url, folder)).rejects.toMatchObject(expected);
  await expect(countPending(folder)).rejects.toMatchObject(expected);
  expect(await countPending()).toBe((await readJournal(folder)).entries.length);
});

test('a schema that another version made is refused and left as it is', async () => {
  const { url, countPending } = await createEmptyDatabase();
  const folder = await copyMigrations();
  const file = join(folder, '0001_ledger.sql');
  await writeFile(
    file,
    `-- Another version.
${await readFile(file, 'utf8')}`,
  );
  await migrate(url, folder);
  const expected = { code: 'misconfigured', message: expect.stringContaining('another version') as string };
  await expect(migrate(url, migrationsFolder)).rejects.toMatchObject(expected);
  await expect(countPending()).rejects.toMatchObject(expected);
  expect(await countPending(folder)).toBe(0);
});

test('a schema newer than this version is refused', async () => {
  const { url, countPending } = await createEmptyDatabase();
  await migrate(url, migrationsFolder);
  const folder = await copyMigrations(({ entries }) => ({ entries: entries.slice(0, 3) }));
  await expect(migrate(url, folder)).rejects.toMatchObject({ code: 'misconfigured' });
  await expect(countPending(folder)).rejects.toMatchObject({ code: 'misconfigured' });
});

test('a migration that fails leaves nothing behind, and mended it goes through', async () => {
  const { url, countPending } = await createEmptyDatabase();
  const { entries } = await readJournal(migrationsFolder);
  const last = `${entries.at(-1)?.tag ?? ''}.sql`;
  const folder = await copyMigrations();
  await writeFile(
    join(folder, last),
    `${await readFile(join(migrationsFolder, last), 'utf8')};\nSELECT 1/0;\n`,
  );
  await expect(migrate(url, folder)).rejects.toThrow();
  expect(await countPending()).toBe(entries.length);
  expect((await migrate(url, migrationsFolder)).applied).toHaveLength(entries.length);
});

test('a login without the rights is told which one is missing and what to do', async () => {
  const { url, name } = await createEmptyDatabase();
  const login = `login_${randomBytes(6).toString('hex')}`;
  await withClient(url, (client) => client.query(`CREATE ROLE ${login} LOGIN PASSWORD 'secret'`));
  onTestFinished(() => withClient(url, (client) => client.query(`DROP ROLE ${login}`)).then(() => undefined));
  const poor = new URL(url);
  poor.username = login;
  poor.password = 'secret';
  await expect(migrate(poor.href, migrationsFolder)).rejects.toMatchObject({
    code: 'misconfigured',
    message: expect.stringMatching(
      new RegExp(`lacks a right.*permission denied for database ${name}.*CREATEROLE`),
    ) as string,
  });
});

test('a server that is away is no mistake of the schema', async () => {
  await expect(migrate('postgres://x:y@127.0.0.1:9/none', migrationsFolder)).rejects.toMatchObject({
    code: 'database_unavailable',
  });
});

/** A database without our schema; it goes when the test ends. */
async function createEmptyDatabase() {
  const server = inject('postgresUrl');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await withClient(server, (client) => client.query(`CREATE DATABASE ${name}`));
  onTestFinished(() =>
    withClient(server, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`)).then(() => undefined),
  );
  const url = inDatabase(server, name);
  const app = openDatabase({
    url,
    role: 'nightshift_app',
    connectionsMax: 1,
    name: 'nightshift test',
    onIdleError: () => undefined,
  });
  onTestFinished(() => app.close());
  return { url, name, countPending: (folder = migrationsFolder) => countPendingMigrations(app.pool, folder) };
}

/** The migrations in a folder of the test's own, with another journal if asked for. */
async function copyMigrations(change: (journal: Journal) => Journal = (journal) => journal): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'nightshift-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(migrationsFolder, folder, { recursive: true });
  await writeJournal(folder, change);
  return folder;
}

async function readJournal(folder: string): Promise<Journal> {
  return JSON.parse(await readFile(join(folder, 'meta', '_journal.json'), 'utf8')) as Journal;
}

async function writeJournal(folder: string, change: (journal: Journal) => Journal): Promise<void> {
  const journal = await readJournal(folder);
  await writeFile(join(folder, 'meta', '_journal.json'), JSON.stringify({ ...journal, ...change(journal) }));
}
