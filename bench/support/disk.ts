import type { PrivateServer } from '../../src/postgres-server/index.ts';
import { settleDatabase, withClient } from './bench-server.ts';

/** Bytes of the database on disk, all tables and indexes, once it has settled; without the given tables. */
export async function bytesOnDisk(server: PrivateServer, without: readonly string[] = []): Promise<number> {
  await settleDatabase(server);
  const { rows } = await withClient(server.url('postgres'), (client) =>
    client.query<{ bytes: string }>(
      `SELECT pg_database_size(current_database()) - coalesce(sum(pg_total_relation_size(to_regclass('nightshift.' || name))), 0) AS bytes
        FROM unnest($1::text[]) name`,
      [without],
    ),
  );
  return Number(rows[0]?.bytes);
}

/** Bytes of each table with its indexes. */
export type TableBytes = ReadonlyMap<string, number>;

/** Bytes of all tables of all schemas, once the database has settled. */
export async function readTables(server: PrivateServer): Promise<TableBytes> {
  await settleDatabase(server);
  return readTablesNow(server);
}

/** The same as it is, without vacuuming before. */
export async function readTablesNow(server: PrivateServer): Promise<TableBytes> {
  const { rows } = await withClient(server.url('postgres'), (client) =>
    client.query<{ name: string; bytes: string }>(
      `SELECT format('%s.%s', n.nspname, c.relname) AS name, pg_total_relation_size(c.oid) AS bytes
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'm')`,
    ),
  );
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}
