import type pg from 'pg';
import { code, joinParts, markdownTable, pageHead } from './markdown-page.ts';

/** Contents of docs/reference/views.md, from the comments in a migrated database. */
export async function viewsPage(database: Pick<pg.ClientBase, 'query'>): Promise<string> {
  const { rows: columns } = await database.query<Column>(columnsSql);
  const { rows: functions } = await database.query<ReportFunction>(functionsSql);
  const views = [...new Set(columns.map(({ view }) => view))];
  return joinParts([
    pageHead('Views', intro),
    markdownTable(
      ['View', 'Contents'],
      views.map((view) => [`[${code(view)}](#${view})`, firstSentence(viewComment(columns, view))]),
    ),
    ...views.flatMap((view) => [
      `## ${view}`,
      viewComment(columns, view),
      markdownTable(
        ['Column', 'Type', 'Meaning'],
        columns
          .filter((column) => column.view === view)
          .map(({ column, type, comment }) => [code(column), typeName(type), comment ?? '']),
      ),
    ]),
    ...functions.flatMap(({ name, parameters, result, comment }) => [
      `## ${name}`,
      comment ?? '',
      `\`\`\`text\nreports.${name}(${typeName(parameters)})\n\`\`\``,
      markdownTable(
        ['Column', 'Type'],
        result
          .replace(/^TABLE\((.*)\)$/, '$1')
          .split(', ')
          .map((each) => {
            const [column = '', ...type] = each.split(' ');
            return [code(column), typeName(type.join(' '))];
          }),
      ),
    ]),
  ]);
}

const intro = `Query these views of the schema \`reports\` with \`nightshift sql\`, or with the login that \`nightshift sql --url\` prints. Each account has the
same views, with its own rows, in the schema \`account_reports\`. [SQL](../guides/sql.md) shows examples. Postgres has the same texts: \`\\d+
reports.lookups\` in psql. Credits are numbers of credits.`;

interface Column {
  readonly view: string;
  readonly view_comment: string | null;
  readonly column: string;
  readonly type: string;
  readonly comment: string | null;
}

interface ReportFunction {
  readonly name: string;
  readonly parameters: string;
  readonly result: string;
  readonly comment: string | null;
}

const columnsSql = `
  SELECT c.relname AS view, obj_description(c.oid, 'pg_class') AS view_comment, a.attname AS column,
    format_type(a.atttypid, a.atttypmod) AS type, col_description(c.oid, a.attnum) AS comment
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
  WHERE c.relnamespace = 'reports'::regnamespace AND c.relkind = 'v'
  ORDER BY c.relname, a.attnum`;

const functionsSql = `
  SELECT proname AS name, pg_get_function_arguments(oid) AS parameters, pg_get_function_result(oid) AS result,
    obj_description(oid, 'pg_proc') AS comment
  FROM pg_proc WHERE pronamespace = 'reports'::regnamespace ORDER BY proname`;

/** Returns the comment of a view. @throws Error for a view without one. */
function viewComment(columns: readonly Column[], view: string): string {
  const comment = columns.find((column) => column.view === view)?.view_comment ?? null;
  if (comment === null) throw new Error(`The view ${view} has no comment. Give it one with COMMENT ON VIEW.`);
  return comment;
}

function firstSentence(text: string): string {
  return /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
}

function typeName(type: string): string {
  return type.replaceAll('timestamp with time zone', 'timestamptz');
}
