import pg from 'pg';
import { onTestFinished } from 'vitest';
import type { Credentials } from '../../../src/core/storage/credentials.ts';
import type { PostgresLocation } from '../../../src/core/storage/location.ts';
import { openTestDatabase } from '../db/database.ts';

/** A Postgres of the user's own, with an empty table of accounts. */
export interface OwnDatabase {
  readonly client: pg.Client;
  readonly location: PostgresLocation;
  readonly credentials: Credentials & { readonly password: string };
  /** Setting NIGHTSHIFT_ALLOWED_HOSTS, with a port at which no server listens. */
  readonly allowedHosts: string;
  /** Adds the accounts with these ids. */
  readonly insert: (from: number, to: number) => Promise<unknown>;
}

/** Port at which no server listens. */
export const closedPort = 9;

/** Opens another database of the test server. */
export async function openOwnDatabase(): Promise<OwnDatabase> {
  const { url } = await openTestDatabase();
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('CREATE SCHEMA crm; CREATE TABLE crm.accounts (id integer, domain text)');
  const { hostname, port, username, pathname, password } = new URL(url);
  const location = {
    ...{ kind: 'postgres' as const, host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 5432) },
    ...{ user: decodeURIComponent(username), database: pathname.slice(1), sslMode: 'disable' as const },
  };
  return {
    client,
    location,
    credentials: { password: decodeURIComponent(password) },
    allowedHosts: `${hostname}:${location.port},${hostname}:${closedPort}`,
    insert: (from, to) =>
      client.query(
        `INSERT INTO crm.accounts SELECT n, 'company-' || n || '.com' FROM generate_series($1::int, $2::int) n`,
        [from, to],
      ),
  };
}
