import type { ListRows } from './schema.ts';

/** JSON rows as a CSV without a header, and the names of its columns. */
export interface RowsAsCsv {
  readonly columns: readonly string[];
  readonly csv: string;
}

/**
 * Converts JSON rows to the CSV form of all other files. The columns are the names of all fields, in the order in which they first appear.
 * A field that a row lacks is an empty cell.
 */
export function csvOfRows(rows: ListRows['rows']): RowsAsCsv {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = rows.map((row) => {
    const cells = new Map(Object.entries(row));
    return `${columns.map((column) => quoted(cells.get(column) ?? null)).join(',')}\r\n`;
  });
  return { columns, csv: lines.join('') };
}

function quoted(value: string | number | boolean | null): string {
  return `"${String(value ?? '').replaceAll('"', '""')}"`;
}
