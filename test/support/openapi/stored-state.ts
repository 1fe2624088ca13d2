import type { TestDatabase } from '../db/database.ts';

/** Tables with a record of every caller, regardless of the response. */
const notes = ['audit_log', 'rate_limits'];
/** Columns with such a record in other tables, updated once a minute: the last use of a key and a session. */
const notedColumns = ['last_used_at', 'seen_at'];

/** Digest of every table by name: equal digests mean that nothing was written in between. */
export async function digestStored({ owner }: TestDatabase): Promise<Readonly<Record<string, string>>> {
  const tables = await owner.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = 'nightshift' AND table_type = 'BASE TABLE' AND table_name <> ALL ($1)`,
    [notes],
  );
  const digests = await Promise.all(
    tables.rows.map(async ({ name }) => {
      const found = await owner.pool.query<{ digest: string }>(
        `SELECT count(*) || ' rows, ' || coalesce(sum(hashtextextended((to_jsonb(t) - $1::text[])::text, 0)), 0) AS digest
          FROM nightshift.${name} t`,
        [notedColumns],
      );
      return [name, found.rows[0]?.digest ?? ''] as const;
    }),
  );
  return Object.fromEntries(digests);
}
