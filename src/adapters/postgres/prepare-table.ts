import { StorageRejected } from '../../core/errors.ts';
import { ownColumns, quoted, quotedTable, widenedType, type TableColumn } from './table-columns.ts';

/** Runs one statement of the transaction of a load. */
export type RunStatement = <Row extends Record<string, unknown>>(
  statement: string,
  values?: readonly unknown[],
) => Promise<{ readonly rows: readonly Row[]; readonly rowCount: number | null }>;

/**
 * Makes the schema and the table if they are missing, adds missing columns and widens others; none is narrowed or dropped. With a key, the
 * table has a unique index on it afterwards.
 */
export async function prepareTable(
  run: RunStatement,
  table: string,
  columns: readonly TableColumn[],
  key: readonly string[] | null,
): Promise<void> {
  const wanted: readonly TableColumn[] = [...ownColumns, ...columns];
  const kind = await findKind(run, table);
  if (kind === null) await createTable(run, table, wanted);
  else if (kind === 'r' || kind === 'p') await alterTable(run, table, wanted);
  else throw new StorageRejected(`${table} is not a table. Name a table, or one that does not exist yet.`);
  if (key !== null) await ensureUnique(run, table, key);
}

/** Kind of the relation as in `pg_class.relkind`; null if it does not exist. */
export async function findKind(run: RunStatement, table: string): Promise<string | null> {
  const [schema, name] = table.split('.');
  const { rows } = await run<{ kind: string }>(
    `SELECT c.relkind::text AS kind FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relname = $2`,
    [schema, name],
  );
  return rows[0]?.kind ?? null;
}

/** Creates the schema of a table if it is missing: an existing one needs no right to create schemas. */
export async function ensureSchema(run: RunStatement, table: string): Promise<void> {
  const [schema = ''] = table.split('.');
  const { rows } = await run('SELECT FROM pg_catalog.pg_namespace WHERE nspname = $1', [schema]);
  if (rows.length === 0) await run(`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`);
}

async function createTable(run: RunStatement, table: string, columns: readonly TableColumn[]): Promise<void> {
  await ensureSchema(run, table);
  await run(`CREATE TABLE ${quotedTable(table)} (${columns.map(definition).join(', ')})`);
  await indexBatch(run, table);
}

function definition({ name, type }: TableColumn): string {
  return `${quoted(name)} ${type}`;
}

async function indexBatch(run: RunStatement, table: string): Promise<void> {
  await run(`CREATE INDEX ON ${quotedTable(table)} (${quoted(ownColumns[0].name)})`);
}

async function alterTable(run: RunStatement, table: string, columns: readonly TableColumn[]): Promise<void> {
  const { rows } = await run<{ name: string; type: string }>(
    `SELECT a.attname AS name, pg_catalog.format_type(a.atttypid, a.atttypmod) AS type FROM pg_catalog.pg_attribute a
     WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped`,
    [quotedTable(table)],
  );
  const types = new Map(rows.map(({ name, type }) => [name, type]));
  const changes = columns.flatMap((column) => {
    const existing = types.get(column.name);
    if (existing === undefined) return [`ADD COLUMN ${definition(column)}`];
    const type = widenedType(existing, column.type);
    return type === null
      ? []
      : [`ALTER COLUMN ${quoted(column.name)} TYPE ${type} USING ${quoted(column.name)}::${type}`];
  });
  if (changes.length > 0) await run(`ALTER TABLE ${quotedTable(table)} ${changes.join(', ')}`);
  if (!types.has(ownColumns[0].name)) await indexBatch(run, table);
}

async function ensureUnique(run: RunStatement, table: string, key: readonly string[]): Promise<void> {
  const { rows } = await run(
    `SELECT FROM pg_catalog.pg_index i
     WHERE i.indrelid = $1::regclass AND i.indisunique AND i.indpred IS NULL AND i.indexprs IS NULL
       AND (SELECT array_agg(a.attname::text ORDER BY a.attname::text) FROM pg_catalog.pg_attribute a
         WHERE a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey[0:i.indnkeyatts - 1])) = $2::text[]`,
    [quotedTable(table), [...key].sort()],
  );
  if (rows.length === 0) {
    await run(`CREATE UNIQUE INDEX ON ${quotedTable(table)} (${key.map(quoted).join(', ')})`);
  }
}
