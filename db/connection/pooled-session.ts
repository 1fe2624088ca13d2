import type pg from 'pg';
import { Misconfigured } from '../../src/core/errors.ts';

/**
 * True when the server process that answers is the one of the login. A pooler, such as PgBouncer, answers the login itself and passes
 * statements to server processes of its own.
 */
export async function hasOwnSession(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const [row] = rows;
  return row !== undefined && isOwnProcess(client, row.pid);
}

/** As `hasOwnSession`, for the process (`pg_backend_pid()`) that answered a statement of the connection. */
export function isOwnProcess(client: pg.ClientBase, pid: number): boolean {
  return Reflect.get(client, 'processID') === pid;
}

/**
 * @param settings that can name the address, such as `NIGHTSHIFT_DIRECT_URL`.
 * @throws Misconfigured when a pooler answers: it ignores the role of the session, and keeps its locks.
 */
export async function assertOwnSession(
  client: pg.ClientBase,
  settings = 'NIGHTSHIFT_DIRECT_URL',
): Promise<void> {
  if (await hasOwnSession(client)) return;
  throw new Misconfigured(
    `A pooler answers instead of Postgres. Put the address of the server itself into ${settings}, and run \`nightshift doctor\`.`,
  );
}
