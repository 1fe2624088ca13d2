import { runQuery, type QueryResult } from '../../../../db/queries/run-query.ts';
import { createCsvWriter } from '../../../reporter/formats/csv.ts';
import { distinctNames, type Cell } from '../../../reporter/formats/report-row.ts';
import { counted } from '../../../core/events/messages/text.ts';
import { ValidationError } from '../../../core/errors.ts';
import { listViews, viewsText } from './list-views.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { formatTable } from '../../terminal/format-table.ts';

/** Options of `sql`. */
export interface SqlOptions {
  readonly format?: 'table' | 'csv' | 'json';
  readonly url?: boolean;
  readonly views?: boolean;
}

/** Runs a read-only query on the views of `reports` and prints a table, CSV or JSON; or prints the connection string. */
export const sql: Command<[string | undefined], SqlOptions> = async (
  { app, output },
  { format, url, views },
  query,
) => {
  const {
    sql: { openReader, readerLink },
  } = await app();
  if (url === true) {
    output.result({ url: readerLink }, () => readerLink);
    return exitCodes.done;
  }
  if (views === true) {
    const listed = await listViews(openReader());
    output.result(listed, () => output.commands(viewsText(listed, output.tableColumns())));
    return exitCodes.done;
  }
  if (query === undefined || query.trim() === '')
    throw new ValidationError('Pass a query, --views to list the views, or --url for the connection string.');
  const result = await runQuery(openReader(), query);
  output.stdout.write(
    `${formatResult(result, output.isJson ? 'json' : (format ?? 'table'), output.tableColumns())}\n`,
  );
  return exitCodes.done;
};

/** Formats the result of a query. JSON is an array of objects by column name. `columnsMax`: width of a table. */
export function formatResult(
  { columns, rows }: QueryResult,
  format: 'table' | 'csv' | 'json',
  columnsMax: number,
): string {
  if (format === 'json') return JSON.stringify(toObjects({ columns, rows }), null, 2);
  if (format === 'csv') return formatCsv(columns, rows);
  return `${formatTable(columns, rows.map(toTexts), columnsMax)}\n${counted(rows.length, 'row')}`;
}

/** Converts values of a query to text as they are: numbers without separators, times in full. */
function toTexts(row: readonly unknown[]): readonly (string | null)[] {
  return row.map(toCell).map((cell) => (cell === null ? null : String(cell)));
}

/** Converts rows to objects by column name. A repeated column name gets a suffix, so that no value is lost. */
export function toObjects({ columns, rows }: QueryResult): readonly Readonly<Record<string, unknown>>[] {
  const keys = distinctNames(columns);
  return rows.map((row) => Object.fromEntries(keys.map((key, i) => [key, row[i]])));
}

function formatCsv(columns: readonly string[], rows: QueryResult['rows']): string {
  const writer = createCsvWriter(
    columns.map((name) => ({ name, own: false })),
    {},
  );
  return `${writer.head}${writer.block(rows.map((row) => row.map(toCell)))}${writer.tail}`.trimEnd();
}

function toCell(value: unknown): Cell {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  return value instanceof Date ? value.toISOString() : JSON.stringify(value);
}
