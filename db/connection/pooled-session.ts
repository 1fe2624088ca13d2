import type pg from 'pg';

/**
 * True when the server process that answers is the one of the login. A pooler, such as PgBouncer, answers the login itself and passes
 * statements to server processes of its own.
 */
export async function hasOwnSession(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return Reflect.get(client, 'processID') === rows[0]?.pid;
}
