import type pg from 'pg';
import { withConnection } from '../connection/postgres-client.ts';

type Asked = Pick<pg.Pool | pg.Client, 'query'>;

/** Reads the system identifier of a cluster. */
export function readSystemId(url: string): Promise<string> {
  return withConnection({ connectionString: url, application_name: 'nightshift backup' }, (client) =>
    readId(client, `SELECT system_identifier::text AS id FROM pg_control_system()`),
  );
}

/** Reads an identifier of the database: that of its cluster, and its number in it. Both change with `pg_upgrade`, and when it is moved. */
export function readDatabaseId(asked: Asked): Promise<string> {
  return readId(
    asked,
    `SELECT c.system_identifier || '-' || d.oid AS id FROM pg_control_system() c, pg_database d WHERE d.datname = current_database()`,
  );
}

/** Reads the identifier of the database that a URL names. */
export function readDatabaseIdAt(url: string): Promise<string> {
  return withConnection({ connectionString: url, application_name: 'nightshift restore' }, readDatabaseId);
}

async function readId(asked: Asked, statement: string): Promise<string> {
  const { rows } = await asked.query<{ id: string }>(statement);
  const [row] = rows;
  if (row === undefined) throw new Error('The server has not told its system identifier.');
  return row.id;
}
