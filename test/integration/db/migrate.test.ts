import { randomBytes } from 'node:crypto';
import { appendFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { definitionTopics } from '../../../db/definitions.ts';
import { countPendingMigrations, migrate } from '../../../db/migrate.ts';
import { createEmptyDatabase, openTestPool } from '../../support/db/database.ts';
import { withEarlierSchema } from '../../support/db/earlier-schema.ts';
import { schemaFolder, withClient } from '../../support/db/test-postgres.ts';

interface Journal {
  readonly entries: readonly { readonly tag: string; readonly when: number }[];
}

test('four concurrent processes migrate successfully, and one of them applies the migrations', async () => {
  const { url } = await openEmptyDatabase();
  const reports = await Promise.all(Array.from({ length: 4 }, () => migrate(url, schemaFolder)));
  const { entries } = await readJournal(schemaFolder);
  const names = entries.map(({ tag }) => tag);
  expect(reports.map(({ total }) => total)).toEqual([names.length, names.length, names.length, names.length]);
  expect(reports.map(({ applied }) => applied).sort((a, b) => b.length - a.length)).toEqual([
    names,
    [],
    [],
    [],
  ]);
});

test('databases of one server that are migrated concurrently share their roles', async () => {
  const databases = [];
  for (let n = 0; n < 4; n += 1) databases.push(await openEmptyDatabase());
  const reports = await Promise.all(databases.map(({ url }) => migrate(url, schemaFolder)));
  expect(reports.map(({ applied, total }) => applied.length === total)).toEqual([true, true, true, true]);
});

test.each(['ALTER ROLE $ SET search_path = public', 'SELECT 1'])(
  'a concurrent change of a role is retried (%s before)',
  async (before) => {
    const { url } = await openEmptyDatabase();
    const folder = await copySchema();
    const rival = `rival_${randomBytes(6).toString('hex')}`;
    await withClient(url, (client) => client.query(`CREATE ROLE ${rival}; ${before.replace('$', rival)}`));
    onTestFinished(() =>
      withClient(url, (client) => client.query(`DROP ROLE ${rival}`)).then(() => undefined),
    );
    await appendFile(
      join(folder, 'migrations', `${await lastMigration(folder)}.sql`),
      `;\nSELECT pg_sleep(0.3);\nALTER ROLE ${rival} SET statement_timeout = '1min';\n`,
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

test('pending migrations are counted before, during and after a migration', async () => {
  const { url, countPending } = await openEmptyDatabase();
  const { entries } = await readJournal(schemaFolder);
  const later = await copySchema();
  await addMigration(later, '9001_more', 'CREATE TABLE nightshift.more ()');
  await addMigration(later, '9002_most', 'CREATE TABLE nightshift.most ()');
  expect(await countPending(later)).toBe(entries.length + 2);
  await migrate(url, schemaFolder);
  expect(await countPending(later)).toBe(2);
  expect(await migrate(url, later)).toEqual({
    applied: ['9001_more', '9002_most'],
    total: entries.length + 2,
    redefined: true,
  });
  expect(await countPending(later)).toBe(0);
  expect(await migrate(url, later)).toMatchObject({ applied: [], redefined: false });
});

test('all migrations are pending while another process migrates', async () => {
  const { url, countPending } = await openEmptyDatabase();
  await withClient(url, (client) => client.query('CREATE SCHEMA nightshift'));
  expect(await countPending()).toBe((await readJournal(schemaFolder)).entries.length);
});

test('a journal out of order is rejected, because a migration would be skipped', async () => {
  const { url, countPending } = await openEmptyDatabase();
  const folder = await copySchema();
  await addMigration(folder, '9001_late', 'SELECT 1', 0);
  const expected = { code: 'misconfigured', message: expect.stringContaining('9001_late') as string };
  await expect(migrate(url, folder)).rejects.toMatchObject(expected);
  await expect(countPending(folder)).rejects.toMatchObject(expected);
  expect(await countPending()).toBe((await readJournal(schemaFolder)).entries.length);
});

test('a schema of another version is rejected and left unchanged', async () => {
  const { url, countPending } = await openEmptyDatabase();
  const folder = await copySchema();
  await appendFile(join(folder, 'migrations', `${await lastMigration(folder)}.sql`), '-- Another version.\n');
  await migrate(url, folder);
  const expected = { code: 'misconfigured', message: expect.stringContaining('another version') as string };
  await expect(migrate(url, schemaFolder)).rejects.toMatchObject(expected);
  await expect(countPending()).rejects.toMatchObject(expected);
  expect(await countPending(folder)).toBe(0);
});

test('a schema of a newer version is rejected', async () => {
  const { url, countPending } = await openEmptyDatabase();
  const newer = await copySchema();
  await addMigration(newer, '9001_more', 'CREATE TABLE nightshift.more ()');
  await migrate(url, newer);
  await expect(migrate(url, schemaFolder)).rejects.toMatchObject({ code: 'misconfigured' });
  await expect(countPending()).rejects.toMatchObject({ code: 'misconfigured' });
});

describe('functions and views', () => {
  test('are replaced without a migration when they changed, with their dependents', async () => {
    const { url, countPending } = await openEmptyDatabase();
    await migrate(url, schemaFolder);
    await withClient(url, (client) =>
      client.query('CREATE VIEW public.mine AS SELECT * FROM reports.prices'),
    );
    const changed = await copySchema();
    await appendFile(
      join(changed, 'sql', 'sessions.sql'),
      "\nCREATE OR REPLACE FUNCTION nightshift.ring() RETURNS integer LANGUAGE sql AS 'SELECT 1';\n",
    );
    expect(await countPending(changed)).toBe(1);
    expect(await migrate(url, changed)).toMatchObject({ applied: [], redefined: true });
    expect(await countPending(changed)).toBe(0);
    await withClient(url, async (client) => {
      expect((await client.query('SELECT nightshift.ring() AS rung')).rows).toEqual([{ rung: 1 }]);
      expect((await client.query('SELECT * FROM public.mine')).rows).toHaveLength(2);
    });
  });

  test('replace functions of earlier versions that had other parameters or columns', async () => {
    const { url } = await openEmptyDatabase();
    await withEarlierSchema(url, '0009_answer_of_lookup', (client) =>
      client.query(`CREATE FUNCTION nightshift.parse_ads(p_ads jsonb) RETURNS TABLE (ord integer, variants jsonb)
          LANGUAGE sql AS 'SELECT 1, p_ads';
        CREATE FUNCTION nightshift.ad_identity(text, text, bytea) RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint';
        CREATE FUNCTION nightshift.purge_lookups(bigint[], bigint[], OUT lookups bigint) LANGUAGE sql AS 'SELECT 1::bigint';
        CREATE FUNCTION nightshift.purge_batch(bigint, timestamptz, text, text, integer, OUT state text) LANGUAGE sql AS 'SELECT ''done''';`),
    );
    expect(await migrate(url, schemaFolder)).toMatchObject({ redefined: true });
    await withClient(url, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        `SELECT proname AS name FROM pg_proc WHERE proname = ANY ('{parse_ads,ad_identity,purge_lookups,purge_batch}') ORDER BY 1`,
      );
      expect(rows.map(({ name }) => name)).toEqual(['parse_ads', 'purge_batch', 'purge_lookups']);
    });
  });

  test('of a newer version are left unchanged', async () => {
    const { url, countPending } = await openEmptyDatabase();
    await migrate(url, schemaFolder);
    const newer = await copySchema();
    await appendFile(join(newer, 'sql', 'sessions.sql'), '-- Newer.\n');
    await migrate(url, newer);
    const expected = { code: 'misconfigured', message: expect.stringContaining('newer version') as string };
    await expect(migrate(url, schemaFolder)).rejects.toMatchObject(expected);
    await expect(countPending()).rejects.toMatchObject(expected);
    expect(await countPending(newer)).toBe(0);
  });

  test('stay when their replacement fails, and are replaced by the next call', async () => {
    const { url, countPending } = await openEmptyDatabase();
    await migrate(url, schemaFolder);
    const broken = await copySchema();
    const file = join(broken, 'sql', 'sessions.sql');
    const text = await readFile(file, 'utf8');
    await writeFile(file, `CREATE TABLE nightshift.half ();\n${text}\nSELECT 1/0;\n`);
    await expect(migrate(url, broken)).rejects.toThrow('division by zero');
    expect(await countPending(broken)).toBe(1);
    await writeFile(file, `CREATE TABLE nightshift.half ();\n${text}`);
    expect(await migrate(url, broken)).toMatchObject({ redefined: true });
  });

  test('are each defined once, in db/sql and in no migration', async () => {
    const sources = await readdir(join(schemaFolder, 'sql'));
    expect(sources.sort()).toEqual(definitionTopics.map((topic) => `${topic}.sql`).sort());
    const defined = (text: string) =>
      [...text.matchAll(/^CREATE (?:OR REPLACE )?(?:FUNCTION|VIEW) ([\w.]+)/gm)].map(([, name]) => name);
    const texts = await Promise.all(sources.map((name) => readFile(join(schemaFolder, 'sql', name), 'utf8')));
    const names = texts.flatMap(defined);
    expect(names.length).toBeGreaterThan(80);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
    const { entries } = await readJournal(schemaFolder);
    const migrations = await Promise.all(
      entries.map(({ tag }) => readFile(join(schemaFolder, 'migrations', `${tag}.sql`), 'utf8')),
    );
    expect(migrations.flatMap(defined)).toEqual([]);
  });

  test('can be called by their granted roles only', async () => {
    const { url } = await openEmptyDatabase();
    await migrate(url, schemaFolder);
    const { rows } = await withClient(url, (client) =>
      client.query<{ name: string }>(
        `SELECT p.oid::regprocedure::text AS name FROM pg_proc p
          WHERE p.pronamespace::regnamespace::text IN ('nightshift', 'reports', 'account_reports')
            AND has_function_privilege('public', p.oid, 'EXECUTE')`,
      ),
    );
    expect(rows).toEqual([]);
  });
});

test('a failed migration changes nothing, and succeeds when it is fixed', async () => {
  const { url, countPending } = await openEmptyDatabase();
  const { entries } = await readJournal(schemaFolder);
  const folder = await copySchema();
  await appendFile(join(folder, 'migrations', `${await lastMigration(folder)}.sql`), ';\nSELECT 1/0;\n');
  await expect(migrate(url, folder)).rejects.toThrow();
  expect(await countPending()).toBe(entries.length);
  expect((await migrate(url, schemaFolder)).applied).toHaveLength(entries.length);
});

test('a login without privileges gets an error with the missing privilege and the remedy', async () => {
  const { url, name } = await openEmptyDatabase();
  const login = `login_${randomBytes(6).toString('hex')}`;
  await withClient(url, (client) => client.query(`CREATE ROLE ${login} LOGIN PASSWORD 'secret'`));
  onTestFinished(() => withClient(url, (client) => client.query(`DROP ROLE ${login}`)).then(() => undefined));
  const poor = new URL(url);
  poor.username = login;
  poor.password = 'secret';
  await expect(migrate(poor.href, schemaFolder)).rejects.toMatchObject({
    code: 'misconfigured',
    message: expect.stringMatching(
      new RegExp(`lacks a right.*permission denied for database ${name}.*CREATEROLE`),
    ) as string,
  });
});

test('an unreachable server is not a schema error', async () => {
  await expect(migrate('postgres://x:y@127.0.0.1:9/none', schemaFolder)).rejects.toMatchObject({
    code: 'database_unavailable',
  });
});

/** Creates a database without the schema, with a pool of the application. */
async function openEmptyDatabase() {
  const url = await createEmptyDatabase();
  const app = openTestPool(url, { connectionsMax: 1 });
  const name = new URL(url).pathname.slice(1);
  return { url, name, countPending: (folder = schemaFolder) => countPendingMigrations(app.pool, folder) };
}

/** Copies the files of the schema to a folder of the test. */
async function copySchema(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'nightshift-schema-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const name of ['migrations', 'sql'])
    await cp(join(schemaFolder, name), join(folder, name), { recursive: true });
  return folder;
}

/** Adds a migration to copied files, dated a day after the last one by default. */
async function addMigration(folder: string, tag: string, sql: string, when?: number): Promise<void> {
  const journal = await readJournal(folder);
  const dated = when ?? (journal.entries.at(-1)?.when ?? 0) + 86_400_000;
  const entry = { idx: journal.entries.length, version: '7', when: dated, tag, breakpoints: true };
  await writeFile(join(folder, 'migrations', `${tag}.sql`), sql);
  await writeFile(journalOf(folder), JSON.stringify({ ...journal, entries: [...journal.entries, entry] }));
}

async function lastMigration(folder: string): Promise<string> {
  return (await readJournal(folder)).entries.at(-1)?.tag ?? '';
}

async function readJournal(folder: string): Promise<Journal> {
  return JSON.parse(await readFile(journalOf(folder), 'utf8')) as Journal;
}

function journalOf(folder: string): string {
  return join(folder, 'migrations', 'meta', '_journal.json');
}
