import { is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import * as schema from '../../../db/schema/index.ts';
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

/** The parts of a filter or of a report depend on its depth: not every combination is valid. */
const dependent = [
  'db/stores/reports/select-lines.ts',
  'db/stores/reports/row-orders.ts',
  'db/stores/sql/find-rows.ts',
  'db/stores/sql/search-blocks.ts',
];

/** Files whose SQL is not read in every form. */
const partlyRead = [...dependent, 'db/stores/sql/result-conditions.ts'];

const { statements, fragments, built } = readProductSql();
let columns: readonly StoredColumn[];
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
  columns = await readColumns(client);
  await makeTemporaryTables(client);
  const answers = new Map<string, readonly ResultColumn[] | Error>();
  for (const text of new Set(statements.flatMap(({ texts }) => texts.flatMap(asPrepared)))) {
    answers.set(text, await describeStatement(client, text).catch((error: unknown) => error as Error));
  }
  described = answers;
  await client.end();
  await database.close();
});

test('the statements of the product are found', () => {
  expect(statements.length).toBeGreaterThan(250);
  expect(statements.filter(({ row }) => row !== null).length).toBeGreaterThan(150);
  expect(built).toBeGreaterThan(150);
});

test('every statement is valid for Postgres', () => {
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

test('every statement can be parsed', () => {
  // It reads the names of all tables and sequences from the database.
  const unreadable = statements.filter(
    ({ at, unreadable: reason }) => reason !== null && fileOf(at) !== 'db/upgrade/copy-tables.ts',
  );
  expect(unreadable.map(({ at, unreadable: reason }) => `${at} ${reason}`)).toEqual([]);
});

test('the query builder has the tables and columns of the database', () => {
  const tables = Object.values(schema).filter((each) => is(each, PgTable));
  const declared = tables.map(getTableConfig).flatMap(({ name: table, columns: each }) =>
    each.map((column) => ({
      table,
      name: column.name,
      type: column.getSQLType(),
      isRequired: column.notNull,
    })),
  );
  const names = new Set(declared.map(({ table }) => table));
  expect(names.size).toBeGreaterThan(40);
  const stored = columns.filter(({ table }) => names.has(table));
  expect(new Set(declared.map(lineOf))).toEqual(new Set(stored.map(lineOf)));
});

test('the query builder qualifies columns with the schema, in its SQL too', () => {
  const columnNames = new Set(columns.map(({ name }) => name));
  const parts = fragments.filter(({ at }) => !partlyRead.includes(fileOf(at)));
  const named = parts.flatMap(({ at, text }) => {
    const names = text.replaceAll(/'[^']*'/g, '').match(/[a-z_]\w*/g) ?? [];
    return names.filter((name) => columnNames.has(name)).map((name) => `${at} ${name}`);
  });
  expect(named).toEqual([]);
});

test('declared row types have the columns and types of their statements', () => {
  const cursors = statements.flatMap(({ texts }) => texts.filter(isCursor).flatMap(columnsOf));
  const differences = statements.flatMap(({ at, row, texts, driver }) => {
    if (row === null) return [];
    const compare = (columns: readonly ResultColumn[]) => compareRow(row, columns, types, driver);
    // A cursor is declared in another statement than the one that reads it.
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

describe('wrong declaration of a row type is detected', () => {
  const columns = [
    { name: 'id', typeId: 20 },
    { name: 'at', typeId: 1184 },
    { name: 'header', typeId: 1009 },
  ];
  const declare = (name: string, ...kinds: readonly ValueKind[]) => ({ name, kinds, isOptional: false });
  test.each([
    ['a renamed column', declare('public_id', 'text'), 'has no column public_id'],
    ['a bigint as a number', declare('id', 'number'), 'reads int8 id as number'],
    ['a timestamp as a date', declare('at', 'date'), 'reads timestamptz at as date'],
    ['an array as a text', declare('header', 'text'), 'reads _text header as text'],
  ])('%s', (_, declared, difference) => {
    expect(compareRow([declared], columns, types, 'drizzle')).toEqual([difference]);
  });

  test('and a correct one is accepted', () => {
    const fitting = [declare('id', 'text'), declare('at', 'text'), declare('header', 'array')];
    expect(compareRow(fitting, columns, types, 'drizzle')).toEqual([]);
  });
});

function fileOf(at: string): string {
  return at.slice(0, at.lastIndexOf(':'));
}

/** Forms in which Postgres can prepare a statement: the query of a cursor, and none for a statement that is not a query. */
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

/** A column of a table. */
interface StoredColumn {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
}

function lineOf({ table, name, type, isRequired }: StoredColumn): string {
  return `${table}.${name} ${type}${isRequired ? ' NOT NULL' : ''}`;
}

async function readColumns(client: pg.Client): Promise<readonly StoredColumn[]> {
  const { rows } = await client.query<StoredColumn>(
    `SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS "isRequired"
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relnamespace = 'nightshift'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped`,
  );
  return rows;
}

/** Creates the temporary tables of statements, in the order of their dependencies. */
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
