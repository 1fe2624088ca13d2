import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { raceAbort } from '../../core/async/race-abort.ts';
import type {
  LandedCell,
  LoadedTable,
  TableLoad,
  TableLoader,
} from '../../core/destinations/table-loader.ts';
import { failpoint } from '../../core/failpoint.ts';
import { copyText } from '../../core/sql/copy-text.ts';
import { ensureSchema, findKind, prepareTable, type RunStatement } from './prepare-table.ts';
import {
  orderColumn,
  ownColumns,
  quoted,
  quotedTable,
  tableColumns,
  type TableColumn,
} from './table-columns.ts';
import { tableError } from './table-errors.ts';

/**
 * Loads tables over an open connection, which `close` ends.
 *
 * @param where name of the database in messages, without secrets.
 */
export function createTableLoader(client: pg.Client, where: string): TableLoader {
  return {
    load: (load) => inTransaction(client, { ...load, where }, (run) => loadTable(client, run, load)),
    probe: async (table, signal) => {
      await inTransaction(client, { table, where, signal, keeps: false }, (run) => probe(run, table));
    },
    close: () => client.end(),
  };
}

interface TransactionOptions {
  readonly table: string;
  readonly where: string;
  readonly signal: AbortSignal;
  /** False to roll back. */
  readonly keeps?: boolean;
}

async function inTransaction<T>(
  client: pg.Client,
  { table, where, signal, keeps = true }: TransactionOptions,
  work: (run: RunStatement) => Promise<T>,
): Promise<T> {
  const run: RunStatement = <Row extends Record<string, unknown>>(
    statement: string,
    values: readonly unknown[] = [],
  ) => raceAbort(client.query<Row>(statement, [...values]), signal);
  try {
    await run('BEGIN ISOLATION LEVEL READ COMMITTED');
    // A table that someone else has locked is tried again later. A copy may take long.
    await run(`SET LOCAL lock_timeout = '60s'`);
    await run(`SET LOCAL statement_timeout = '1h'`);
    const result = await work(run);
    await run(keeps ? 'COMMIT' : 'ROLLBACK');
    return result;
  } catch (error) {
    if (!signal.aborted) await client.query('ROLLBACK').catch(() => undefined);
    throw tableError(error, where, table);
  }
}

async function probe(run: RunStatement, table: string): Promise<void> {
  if ((await findKind(run, table)) !== null) {
    await run(`LOCK TABLE ${quotedTable(table)} IN ROW EXCLUSIVE MODE`);
    return;
  }
  await ensureSchema(run, table);
  await run(`CREATE TABLE ${quotedTable(table)} ()`);
}

/** The key by the names of the table, where long names are shorter. */
function keyColumns(
  { key, columns: landed }: TableLoad,
  columns: readonly TableColumn[],
): readonly string[] | null {
  if (key === null) return null;
  return columns.flatMap(({ name }, index) => (key.includes(landed[index]?.name ?? '') ? [name] : []));
}

/** Name of the temporary table of a load. */
const staging = 'pg_temp.nightshift_load';

async function loadTable(client: pg.Client, run: RunStatement, load: TableLoad): Promise<LoadedTable> {
  const { table, batch, finishedAt } = load;
  const columns = tableColumns(load.columns);
  const key = keyColumns(load, columns);
  const definitions = columns.map(({ name, type }) => `${quoted(name)} ${type}`);
  await run(
    `CREATE TEMPORARY TABLE nightshift_load (${[`${quoted(orderColumn)} bigint`, ...definitions].join(', ')}) ON COMMIT DROP`,
  );
  const { rows, bytes } = await copyLines(client, load, columns);
  failpoint('table:copied');
  // From here to the commit, one load at a time. A process that lost its lease waits here, and finds the later result.
  await run(`SELECT pg_advisory_xact_lock(hashtextextended('nightshift ' || $1, 0))`, [table]);
  await prepareTable(run, table, columns, key);
  const later = await run(
    `SELECT FROM ${quotedTable(table)} WHERE ${ownBatch} = $1 AND ${ownTime} > $2 LIMIT 1`,
    [batch, finishedAt],
  );
  if (later.rows.length > 0) return { rows, bytes, repeatedKeys: 0, outdated: rows };
  const put =
    key === null ? await replaceBatch(run, load, columns) : await upsert(run, { ...load, key }, columns);
  failpoint('table:upserted');
  return { rows, bytes, repeatedKeys: rows - put.keys, outdated: put.keys - put.rows };
}

const [ownBatch, ownTime] = [quoted(ownColumns[0].name), quoted(ownColumns[1].name)];

interface Put {
  readonly keys: number;
  readonly rows: number;
}

/** Without a key of the user's own, a landing replaces all rows of its batch. */
async function replaceBatch(
  run: RunStatement,
  { table, batch, finishedAt }: TableLoad,
  columns: readonly TableColumn[],
): Promise<Put> {
  const names = namesOf(columns);
  await run(`DELETE FROM ${quotedTable(table)} WHERE ${ownBatch} = $1`, [batch]);
  const { rowCount } = await run(
    `INSERT INTO ${quotedTable(table)} (${ownBatch}, ${ownTime}, ${names})
     SELECT $1, $2, ${names} FROM ${staging} ORDER BY ${quoted(orderColumn)}`,
    [batch, finishedAt],
  );
  return { keys: rowCount ?? 0, rows: rowCount ?? 0 };
}

/** The last line of a key wins within the batch, and the batch that finished last among batches. */
async function upsert(
  run: RunStatement,
  { table, key, batch, finishedAt }: TableLoad & { readonly key: readonly string[] },
  columns: readonly TableColumn[],
): Promise<Put> {
  const names = namesOf(columns);
  const keys = key.map(quoted).join(', ');
  const others = columns.filter(({ name }) => !key.includes(name)).map(({ name }) => quoted(name));
  const sets = [ownBatch, ownTime, ...others].map((name) => `${name} = EXCLUDED.${name}`).join(', ');
  await run(
    `DELETE FROM ${quotedTable(table)} t WHERE t.${ownBatch} = $1 AND NOT EXISTS (
       SELECT FROM ${staging} s WHERE ${key.map((name) => `s.${quoted(name)} = t.${quoted(name)}`).join(' AND ')})`,
    [batch],
  );
  const { rows } = await run<{ keys: number; rows: number }>(
    `WITH latest AS (
       SELECT DISTINCT ON (${keys}) * FROM ${staging} ORDER BY ${keys}, ${quoted(orderColumn)} DESC
     ), put AS (
       INSERT INTO ${quotedTable(table)} AS t (${ownBatch}, ${ownTime}, ${names})
       SELECT $1, $2, ${names} FROM latest ORDER BY ${quoted(orderColumn)}
       ON CONFLICT (${keys}) DO UPDATE SET ${sets}
       WHERE t.${ownTime} IS NULL OR t.${ownTime} <= EXCLUDED.${ownTime} OR t.${ownBatch} = EXCLUDED.${ownBatch}
       RETURNING 1
     )
     SELECT (SELECT count(*) FROM latest)::integer AS keys, (SELECT count(*) FROM put)::integer AS rows`,
    [batch, finishedAt],
  );
  return rows[0] ?? { keys: 0, rows: 0 };
}

function namesOf(columns: readonly TableColumn[]): string {
  return columns.map(({ name }) => quoted(name)).join(', ');
}

async function copyLines(
  client: pg.Client,
  { lines, key, columns: landed, signal }: TableLoad,
  columns: readonly TableColumn[],
): Promise<{ readonly rows: number; readonly bytes: number }> {
  let rows = 0;
  let bytes = 0;
  // Empty cells of a key are empty texts: nulls are never equal.
  const empty = landed.map(({ name, kind }) =>
    kind === 'text' && key?.includes(name) === true ? '' : '\\N',
  );

  async function* pieces(): AsyncGenerator<Buffer> {
    for await (const block of lines) {
      const text = block.map((cells) => {
        rows += 1;
        return `${rows}\t${cells.map((cell, index) => copyCell(cell, empty[index])).join('\t')}\n`;
      });
      if (text.length === 0) continue;
      const piece = Buffer.from(text.join(''));
      bytes += piece.length;
      yield piece;
    }
  }

  const names = [quoted(orderColumn), ...columns.map(({ name }) => quoted(name))].join(', ');
  const copy = client.query(copyFrom(`COPY ${staging} (${names}) FROM STDIN`));
  await pipeline(Readable.from(pieces(), { objectMode: false }), copy, { signal });
  return { rows, bytes };
}

function copyCell(cell: LandedCell, empty = '\\N'): string {
  if (cell === null) return empty;
  return typeof cell === 'string' ? copyText(cell) : String(cell);
}
