import pg from 'pg';

/** Address of a private server, always on 127.0.0.1, and the credentials of its superuser. */
export interface ServerAddress {
  readonly port: number;
  readonly password: string;
  /** Default: the database `postgres`. */
  readonly database?: string;
}

/**
 * Runs `use` on a connection of its own, as the superuser, and closes it.
 *
 * @throws whatever `pg` throws when the server cannot be reached or refuses.
 */
export async function withSuperuser<Result>(
  { port, password, database = 'postgres' }: ServerAddress,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password,
    database,
    // Stated, because `pg` would take a PGSSLMODE or PGAPPNAME out of our environment.
    ssl: false,
    application_name: 'nightshift',
    connectionTimeoutMillis: 10_000,
  });
  // A connection lost while idle is told by this event, and would end the process. The query under way rejects as well.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end();
  }
}
