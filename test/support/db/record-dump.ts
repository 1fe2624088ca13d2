import type { TestDatabase } from './database.ts';

/** A column of a query, as text. */
export async function columnOf(
  { owner }: Pick<TestDatabase, 'owner'>,
  query: string,
): Promise<readonly (string | null)[]> {
  const answer = await owner.pool.query<{ v: string | null }>(`SELECT v::text FROM (${query}) AS q(v)`);
  return answer.rows.map(({ v }) => v);
}

/** All rows of the tables, unchanged. Default: of all tables. */
export async function dumpOf(
  { owner }: Pick<TestDatabase, 'owner'>,
  tables?: readonly string[],
): Promise<Readonly<Record<string, unknown>>> {
  const names = tables ?? (await tableNames(owner));
  const dump: Record<string, unknown> = {};
  for (const name of names) {
    const rows = await owner.pool.query<{ rows: unknown }>(
      `SELECT coalesce(jsonb_agg(to_jsonb(t) ORDER BY to_jsonb(t)::text), '[]') AS rows FROM nightshift.${name} t`,
    );
    dump[name] = rows.rows[0]?.rows;
  }
  return dump;
}

async function tableNames(owner: TestDatabase['owner']): Promise<readonly string[]> {
  const tables = await owner.pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'nightshift'::regnamespace AND relkind = 'r' ORDER BY 1`,
  );
  return tables.rows.map(({ name }) => name);
}
