import pg from 'pg';
import type { TableLoader } from '../../core/destinations/table-loader.ts';
import type { Credentials } from '../../core/storage/credentials.ts';
import type { PostgresLocation } from '../../core/storage/location.ts';
import { createTableLoader } from './load-table.ts';
import { tableError } from './table-errors.ts';

/** Connects to a database of the user's own. @throws StorageUnavailable | StorageRejected */
export async function openTableLoader(
  { host, port, user, database, sslMode }: PostgresLocation,
  credentials: Credentials | null,
): Promise<TableLoader> {
  const client = new pg.Client({
    ...{ host, port, user, database, connectionTimeoutMillis: 20_000 },
    application_name: 'nightshift',
    ssl: sslMode === 'disable' ? false : { rejectUnauthorized: sslMode === 'verify-full' },
    ...(credentials?.password === undefined ? {} : { password: credentials.password }),
  });
  try {
    await client.connect();
  } catch (error) {
    // A login that failed leaves the connection open.
    client.end().catch(() => undefined);
    throw tableError(error, database);
  }
  return createTableLoader(client);
}
