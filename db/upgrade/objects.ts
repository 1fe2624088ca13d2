import type pg from 'pg';
import { Conflict } from '../../src/core/errors.ts';

/** Schemas whose functions and views the definitions of this release create. Those of earlier releases may be left over. */
const ownSchemas = ['nightshift', 'reports', 'account_reports'];

/** The queue fills its schema by itself, from the record. */
export const queueSchema = 'bullmq';

/** Objects that an error lists at most. */
const listedMax = 10;

/**
 * Checks that a new database has everything in which the old one can hold something.
 *
 * @throws Conflict with what it lacks: objects that other programs or people have created.
 */
export async function assertSameObjects(from: pg.Client, to: pg.Client): Promise<void> {
  const there = new Set(await listObjects(to));
  const missing = (await listObjects(from)).filter((name) => !there.has(name));
  const others = [...(await listOtherDatabases(from)), ...missing];
  if (others.length === 0) return;
  const more = others.length > listedMax ? `, and ${others.length - listedMax} more` : '';
  throw new Conflict(
    `The private server has objects that Nightshift did not create, and the upgrade would leave out: ${others.slice(0, listedMax).join(', ')}${more}. ` +
      'Copy them elsewhere and drop them, then run the upgrade again. The present data is unchanged.',
  );
}

async function listObjects(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `WITH places AS (
        SELECT oid, nspname, nspname = ANY ($1::text[]) AS is_own FROM pg_namespace
        WHERE nspname NOT IN ('pg_catalog', 'information_schema', $2) AND nspname !~ '^pg_(toast|temp)'
      ), relations AS (
        SELECT c.oid, c.relkind, format('%I.%I', p.nspname, c.relname) AS name, p.is_own
        FROM pg_class c JOIN places p ON p.oid = c.relnamespace
      )
      SELECT format('the schema %I', nspname) AS name FROM places
      UNION ALL SELECT format('the %s %s', CASE relkind WHEN 'S' THEN 'sequence' WHEN 'i' THEN 'index' WHEN 'I' THEN 'index' WHEN 'v' THEN 'view'
          ELSE 'table' END, name)
        FROM relations WHERE relkind <> 'v' OR NOT is_own
      UNION ALL SELECT format('the column %I of %s', a.attname, r.name)
        FROM relations r JOIN pg_attribute a ON a.attrelid = r.oid
        WHERE r.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
      UNION ALL SELECT format('the trigger %I of %s', t.tgname, r.name)
        FROM relations r JOIN pg_trigger t ON t.tgrelid = r.oid WHERE NOT t.tgisinternal AND NOT r.is_own
      UNION ALL SELECT format('the function %I.%I', p.nspname, f.proname)
        FROM pg_proc f JOIN places p ON p.oid = f.pronamespace WHERE NOT p.is_own
      UNION ALL SELECT format('the type %I.%I', p.nspname, t.typname)
        FROM pg_type t JOIN places p ON p.oid = t.typnamespace WHERE t.typtype IN ('d', 'e', 'r')
      UNION ALL SELECT format('the extension %I', extname) FROM pg_extension
      UNION ALL SELECT 'large objects' WHERE EXISTS (SELECT FROM pg_largeobject_metadata)`,
    [ownSchemas, queueSchema],
  );
  return rows.map(({ name }) => name);
}

async function listOtherDatabases(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('the database %I', datname) AS name FROM pg_database WHERE datname NOT IN ('postgres', 'template0', 'template1', 'nightshift')`,
  );
  return rows.map(({ name }) => name);
}
