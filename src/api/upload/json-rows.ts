import type { BatchRequest } from '../wire/batches.ts';

/**
 * JSON rows as a CSV, so that they take the same way as every other list: the columns are the names of all fields, in the order in
 * which they first appear; a field that a row lacks is an empty cell.
 */
export function csvOfRows(rows: BatchRequest['rows']): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = rows.map((row) => {
    const cells = new Map(Object.entries(row));
    return columns.map((column) => quoted(cells.get(column) ?? null));
  });
  return [columns.map(quoted), ...lines].map((cells) => `${cells.join(',')}\r\n`).join('');
}

function quoted(value: string | number | boolean | null): string {
  return `"${String(value ?? '').replaceAll('"', '""')}"`;
}
