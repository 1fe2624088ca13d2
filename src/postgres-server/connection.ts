import pg from 'pg';

/** Address of a private server on 127.0.0.1, with the password of its superuser. */
export interface ServerAddress {
  readonly port: number;
  readonly password: string;
  /** Default: the database `postgres`. */
  readonly database?: string;
}

/**
 * Runs `use` on a new connection as the superuser, and closes the connection.
 *
 * @throws the error of `pg` when the server is unreachable or rejects the login.
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
    // Set explicitly, because `pg` reads PGSSLMODE and PGAPPNAME from the environment.
    ssl: false,
    application_name: 'nightshift',
    connectionTimeoutMillis: 10_000,
  });
  // The loss of an idle connection emits this event, which would end the process unhandled. A running query rejects as well.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end();
  }
}
