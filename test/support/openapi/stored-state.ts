import type { TestDatabase } from '../db/database.ts';

/** Written on purpose whatever the answer is: who came, and how often. */
const notes = ['audit_log', 'rate_limits'];
/** The same in other tables, noted once a minute: when a key and a session were last used. */
const notedColumns = ['last_used_at', 'seen_at'];

/** A digest of every table, by its name: two that are equal say that nothing was written in between, nor changed. */
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
