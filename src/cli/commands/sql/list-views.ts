import { runQuery } from '../../../../db/queries/run-query.ts';
import { formatTable } from '../../terminal/format-table.ts';

interface ListedView {
  readonly name: string;
  readonly columns: readonly string[];
  /** Comment of the view; null without one. */
  readonly comment: string | null;
}

/** The catalog is readable for every login. */
const query = `SELECT c.relname, c.columns, obj_description(c.oid, 'pg_class') FROM (
    SELECT v.oid, v.relname, (SELECT jsonb_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a
        WHERE a.attrelid = v.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns
    FROM pg_class v WHERE v.relnamespace = to_regnamespace('reports') AND v.relkind = 'v'
  ) c ORDER BY c.relname`;

/** Lists the views of the schema `reports` with their columns, by name. */
export async function listViews(reader: Parameters<typeof runQuery>[0]): Promise<readonly ListedView[]> {
  const { rows } = await runQuery(reader, query);
  return rows.map(([name, columns, comment]) => ({
    name: `reports.${String(name)}`,
    columns: columns as readonly string[],
    comment: comment as string | null,
  }));
}

/** Formats views as a table, and the command that shows the rows of one. */
export function viewsText(views: readonly ListedView[], columnsMax: number): string {
  return [
    formatTable(
      ['view', 'columns', { title: 'content', hide: 1 }],
      views.map(({ name, columns, comment }) => [name, columns.join(', '), comment]),
      columnsMax,
    ),
    'Show some rows with: nightshift sql "select * from reports.batches limit 5"',
  ].join('\n');
}
