import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import pg from 'pg';
import { StorageRejected, TooLarge } from '../../core/errors.ts';
import type { SpooledRows } from '../../core/inboxes/inbox-work.ts';
import { cursorRowsMax, type QueryCursor } from '../../core/inboxes/query-cursor.ts';
import type { FileSpool } from '../storage/spool-file.ts';
import { ownDatabaseError } from './database-errors.ts';

/** A query and the position from which it is read. */
export interface RowsQuery {
  readonly query: string;
  /** Column whose greater values mark newer rows; null: all rows. */
  readonly newerBy: string | null;
  readonly cursor: QueryCursor | null;
}

export interface QueryRowsOptions {
  readonly spool: FileSpool;
  /** Name of the file in messages. */
  readonly fileName: string;
  readonly bytesMax: number;
  readonly signal: AbortSignal;
  /** Name of the database in messages. */
  readonly where: string;
  /** Maximum number of rows of a query with a column for newer rows; the others follow with the next look. Default 1,000,000. */
  readonly rowsMax?: number;
}

const rowsPerFetch = 1000;
/** Time that the server may take for one step of the query. */
const statementMs = 10 * 60_000;

/**
 * Runs a query in one read-only transaction on a Postgres of the user's own, and streams its rows to a temporary CSV file whose header has
 * the names of the columns. Null without rows. With a position, only rows with a greater value are read, and those with the same value that
 * were not read before.
 *
 * @throws StorageRejected for a query that the server rejects; StorageUnavailable when the connection is lost, or the server is overloaded.
 */
export async function queryRows(
  client: pg.Client,
  query: RowsQuery,
  { spool, signal, rowsMax = 1_000_000, ...options }: QueryRowsOptions,
): Promise<SpooledRows | null> {
  // Ends a query that runs: its connection is closed.
  const stop = () => void client.end().catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await begin(client, query);
    const read = createRowReader(query, rowsMax);
    const lines = Readable.from(read.lines(client), { objectMode: false });
    const file = await spool.spool(lines, { ...options, signal });
    if (read.rows() > 0) return { file, rows: read.rows(), cursor: read.cursor() };
    await file.remove();
    return null;
  } catch (error) {
    signal.throwIfAborted();
    throw explain(error, options.where);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Reads the names of the columns of a query, without its rows. @throws as `queryRows` does */
export async function readColumns(
  client: pg.Client,
  query: Omit<RowsQuery, 'cursor'>,
  where: string,
): Promise<readonly string[]> {
  try {
    await begin(client, { ...query, cursor: null });
    const { fields } = await client.query('FETCH 0 FROM new_rows');
    await client.query('ROLLBACK');
    const names = fields.map(({ name }) => name);
    return query.newerBy === null ? names : names.slice(0, -1);
  } catch (error) {
    throw explain(error, where);
  }
}

/** Opens the cursor. The extended protocol takes one statement only, so that nothing can follow the query. */
async function begin(client: pg.Client, { query, newerBy, cursor }: RowsQuery): Promise<void> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await client.query(`SET LOCAL statement_timeout = ${statementMs}`);
  await client.query("SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO'");
  const text = newerBy === null ? query : newerQuery(query, newerBy, cursor !== null);
  const values = newerBy === null || cursor === null ? [] : [cursor.value];
  // The types leave out `queryMode`, without which a statement without values uses the simple protocol.
  const statement = { text: `DECLARE new_rows NO SCROLL CURSOR FOR ${text}`, values, queryMode: 'extended' };
  await client.query(statement);
}

/** The last column is the value as a text. The parameter takes the type of the column. */
function newerQuery(query: string, newerBy: string, hasCursor: boolean): string {
  const column = `q.${pg.escapeIdentifier(newerBy)}`;
  return `SELECT q.*, ${column}::text FROM (\n${query}\n) q WHERE ${column} IS NOT NULL${hasCursor ? ` AND ${column} >= $1` : ''}
    ORDER BY ${column}`;
}

/** Reads the rows of the cursor as lines of CSV. */
function createRowReader({ newerBy, cursor: before }: RowsQuery, rowsMax: number) {
  let rows = 0;
  let value = before?.value ?? null;
  let atValue = new Set(before?.rows ?? []);

  /** True for a row that was not read before; it moves the position. */
  function isFresh(cells: readonly (string | null)[], rowValue: string): boolean {
    const digest = createHash('sha256').update(JSON.stringify(cells)).digest('base64');
    if (rowValue !== value) {
      value = rowValue;
      atValue = new Set();
    }
    if (atValue.has(digest)) return false;
    if (atValue.size === cursorRowsMax) {
      throw new StorageRejected(
        `More than ${cursorRowsMax.toLocaleString('en')} rows have the same value in the column for newer rows. Choose a column that tells them apart.`,
      );
    }
    atValue.add(digest);
    return true;
  }

  async function* lines(client: pg.Client): AsyncGenerator<Buffer, undefined> {
    for (;;) {
      const { fields, rows: fetched } = await client.query<(string | null)[]>({
        text: `FETCH ${rowsPerFetch} FROM new_rows`,
        rowMode: 'array',
        types: { getTypeParser: () => (text: string) => text },
      });
      const names = fields.map(({ name }) => name);
      if (newerBy !== null) names.pop();
      let text = '';
      for (const cells of fetched) {
        const rowValue = newerBy === null ? null : (cells.pop() ?? '');
        if (rowValue !== null && (rows === rowsMax || !isFresh(cells, rowValue))) continue;
        if (rows === 0) text += lineOf(names);
        rows += 1;
        text += lineOf(cells);
      }
      if (text !== '') yield Buffer.from(text);
      if (fetched.length < rowsPerFetch || (newerBy !== null && rows === rowsMax)) break;
    }
    await client.query('COMMIT');
  }

  return {
    lines,
    rows: () => rows,
    cursor: (): QueryCursor | null =>
      newerBy === null || value === null ? null : { value, rows: [...atValue] },
  };
}

/** Every cell is quoted, so that no text of a cell is taken for the form of the file. */
function lineOf(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => `"${(cell ?? '').replaceAll('"', '""')}"`).join(',')}\n`;
}

/** Explains an error. The text of a mistake in the query itself names its parts; other texts of the server may repeat values. */
function explain(error: unknown, where: string): unknown {
  if (error instanceof TooLarge) {
    return new StorageRejected(
      'The query returns more than a batch can hold. Restrict it, or name a column for newer rows.',
      { cause: error },
    );
  }
  if (error instanceof pg.DatabaseError && /^42(?!501)/.test(error.code ?? '')) {
    return new StorageRejected(`${where} rejects the query: ${error.message}.`, { cause: error });
  }
  return ownDatabaseError(error, where);
}
