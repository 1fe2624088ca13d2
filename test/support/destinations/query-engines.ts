import { DuckDBInstance } from '@duckdb/node-api';

/** A row of a query: texts by column, null for an empty cell. */
export type QueriedRow = Readonly<Record<string, string | null>>;

/** Runs one query in DuckDB and returns all columns as text. */
export async function queryDuckDb(statement: string): Promise<readonly QueriedRow[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    const reader = await connection.runAndReadAll(`SELECT COLUMNS(*)::VARCHAR FROM (${statement})`);
    return reader.getRowObjectsJson() as readonly QueriedRow[];
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

interface ChDb {
  readonly query: (statement: string, format: string) => string;
}

/** Package with ClickHouse: half a gigabyte, so it is not among the packages of the project. */
const chDb = 'chdb';

/** Loads ClickHouse; null if the package is not installed. */
export async function openClickHouse(): Promise<ChDb | null> {
  try {
    return (await import(chDb)) as ChDb;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  }
}

/** Runs one query in ClickHouse. Values are as the statement casts them. */
export function queryClickHouse({ query }: ChDb, statement: string): readonly QueriedRow[] {
  const lines = query(statement, 'JSONEachRow').trim();
  return lines === '' ? [] : lines.split('\n').map((line) => JSON.parse(line) as QueriedRow);
}
