import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of the databases that read what has landed. They are large, so only `npm run test:programs` installs them. */
const readers = join(import.meta.dirname, '../../programs/readers');

/** A row of a query, as the engine writes it in JSON. */
export type QueriedRow = Readonly<Record<string, unknown>>;

/** Returns null if DuckDB and ClickHouse are installed; otherwise the reason. */
export function enginesUnavailableReason(): string | null {
  return existsSync(join(readers, 'node_modules'))
    ? null
    : 'npm install --prefix test/programs/readers did not run';
}

/** Runs one query in DuckDB. @throws Error with the message of DuckDB */
export function queryDuckDb(statement: string): readonly QueriedRow[] {
  return run('duckdb', statement);
}

/** Runs one query in DuckDB and returns all columns as text, null for an empty cell. */
export function queryTexts(statement: string): readonly QueriedRow[] {
  return queryDuckDb(`SELECT COLUMNS(*)::VARCHAR FROM (${statement})`);
}

/** Runs one query in ClickHouse. @throws Error with the message of ClickHouse */
export function queryClickHouse(statement: string): readonly QueriedRow[] {
  return run('clickhouse', statement);
}

function run(engine: string, statement: string): readonly QueriedRow[] {
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(readers, `${engine}.js`), statement], {
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  });
  if (status !== 0) throw new Error(`${engine}: ${stderr}`);
  return JSON.parse(stdout) as QueriedRow[];
}
