import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { postgresConnection, prepareQueue } from '../../../src/queue/connection.ts';
import { createTestDatabase, openTestPools } from '../../support/db/database.ts';
import { compareRow } from '../../support/db/statements/compare-rows.ts';
import {
  describeStatement,
  readTypes,
  type PostgresType,
  type ResultColumn,
} from '../../support/db/statements/describe-statement.ts';
import { readProductSql, type ValueKind } from '../../support/db/statements/list-statements.ts';

/** A count for each kind of thing that a purge removes: the names of its columns are the keys of an object. */
const unreadable = ['db/stores/purge/purge-counts.ts'];

/** The parts of a filter or of a report go together by its depth: of their forms, not every one holds together. */
const dependent = [
  'db/stores/reports/batch-report.ts',
  'db/stores/sql/find-rows.ts',
  'db/stores/sql/search-blocks.ts',
];

/** Files with SQL of statements that is not read in every form. */
const partlyRead = [
  ...unreadable,
  ...dependent,
  'db/stores/purge/purge-scope.ts',
  'db/stores/sql/result-conditions.ts',
];

const { statements, fragments, built } = readProductSql();
let columnNames: ReadonlySet<string>;
let described: ReadonlyMap<string, readonly ResultColumn[] | Error>;
let types: ReadonlyMap<number, PostgresType>;

beforeAll(async () => {
  const database = await createTestDatabase();
  const queue = openTestPools(database.url, { searchPath: 'bullmq' });
  await prepareQueue(postgresConnection(queue.app.pool));
  await queue.close();
  const client = new pg.Client(database.url);
  await client.connect();
  types = await readTypes(client);
  columnNames = await readColumnNames(client);
  await makeTemporaryTables(client);
  const columns = new Map<string, readonly ResultColumn[] | Error>();
  for (const text of new Set(statements.flatMap(({ texts }) => texts.flatMap(asPrepared)))) {
    columns.set(text, await describeStatement(client, text).catch((error: unknown) => error as Error));
  }
  described = columns;
  await client.end();
  await database.close();
});

test('the statements of the product are found', () => {
  expect(statements.length).toBeGreaterThan(200);
  expect(statements.filter(({ row }) => row !== null).length).toBeGreaterThan(100);
  expect(built).toBeGreaterThan(1);
});

test('Postgres understands every statement', () => {
  const failures = statements.flatMap(({ at, texts }) => {
    const messages = texts.flatMap(asPrepared).flatMap((text) => {
      const columns = described.get(text);
      return columns instanceof Error ? [`${at} ${columns.message}`] : [];
    });
    const isSome = messages.length < texts.length && dependent.includes(fileOf(at));
    return isSome ? [] : messages;
  });
  expect(failures).toEqual([]);
});

test('every statement can be read but those that are listed', () => {
  const left = statements.filter((statement) => statement.unreadable !== null).map(({ at }) => fileOf(at));
  expect(left).toEqual(unreadable);
});

test('the query builder names columns through the schema, in its SQL too', () => {
  const parts = fragments.filter(({ at }) => !partlyRead.includes(fileOf(at)));
  const named = parts.flatMap(({ at, text }) => {
    const names = text.replaceAll(/'[^']*'/g, '').match(/[a-z_]\w*/g) ?? [];
    return names.filter((name) => columnNames.has(name)).map((name) => `${at} ${name}`);
  });
  expect(named).toEqual([]);
});

test('the row that a program declares has the columns of its statement, and their types', () => {
  const cursors = statements.flatMap(({ texts }) => texts.filter(isCursor).flatMap(columnsOf));
  const differences = statements.flatMap(({ at, row, texts, driver }) => {
    if (row === null) return [];
    const compare = (columns: readonly ResultColumn[]) => compareRow(row, columns, types, driver);
    // A cursor is declared apart from where it is read.
    if (texts.some((text) => text.startsWith('FETCH '))) {
      const fitting = cursors.filter((columns) => compare(columns).length === 0);
      const names = fitting.flat().map(({ name }) => name);
      if (fitting.length === 0) return [`${at} no cursor has its columns`];
      return row.filter(({ name }) => !names.includes(name)).map(({ name }) => `${at} no cursor has ${name}`);
    }
    return texts
      .flatMap(columnsOf)
      .flatMap(compare)
      .map((difference) => `${at} ${difference}`);
  });
  expect([...new Set(differences)]).toEqual([]);
});

describe('a row that is declared otherwise is told apart', () => {
  const columns = [
    { name: 'id', typeId: 20 },
    { name: 'at', typeId: 1184 },
    { name: 'header', typeId: 1009 },
  ];
  const declare = (name: string, ...kinds: readonly ValueKind[]) => ({ name, kinds, isOptional: false });
  test.each([
    ['a renamed column', declare('public_id', 'text'), 'has no column public_id'],
    ['a bigint as a number', declare('id', 'number'), 'reads int8 id as number'],
    ['a moment as a date', declare('at', 'date'), 'reads timestamptz at as date'],
    ['an array as a text', declare('header', 'text'), 'reads _text header as text'],
  ])('%s', (_, declared, difference) => {
    expect(compareRow([declared], columns, types, 'drizzle')).toEqual([difference]);
  });

  test('but not one that fits', () => {
    const fitting = [declare('id', 'text'), declare('at', 'text'), declare('header', 'array')];
    expect(compareRow(fitting, columns, types, 'drizzle')).toEqual([]);
  });
});

function fileOf(at: string): string {
  return at.slice(0, at.lastIndexOf(':'));
}

/** The forms in which Postgres can prepare a statement: of a cursor its query, of what is no query nothing. */
function asPrepared(text: string): readonly string[] {
  if (isCursor(text)) return [text.replace(/^\s*DECLARE .*? CURSOR FOR/s, '')];
  return /^\s*(WITH|SELECT|INSERT|UPDATE|DELETE|MERGE|VALUES)\b/i.test(text) ? [text] : [];
}

function isCursor(text: string): boolean {
  return /^\s*DECLARE /.test(text);
}

function columnsOf(text: string): readonly (readonly ResultColumn[])[] {
  return asPrepared(text).flatMap((prepared) => {
    const columns = described.get(prepared);
    return columns === undefined || columns instanceof Error ? [] : [columns];
  });
}

async function readColumnNames(client: pg.Client): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'nightshift'`,
  );
  return new Set(rows.map(({ name }) => name));
}

/** Makes the tables that statements find in their session, in the order in which they need each other. */
async function makeTemporaryTables(client: pg.Client): Promise<void> {
  let left = statements
    .flatMap(({ texts }) => texts)
    .filter((text) => text.includes('CREATE TEMPORARY TABLE'))
    .map((text) => text.replaceAll(/\$\d+/g, 'NULL').replaceAll('ON COMMIT DROP', ''));
  for (let round = 0; round < 4 && left.length > 0; round++) {
    const failed: string[] = [];
    for (const text of left) await client.query(text).catch(() => failed.push(text));
    left = failed;
  }
  expect(left).toEqual([]);
}
