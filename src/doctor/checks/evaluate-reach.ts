import type { PostgresAddress } from '../../postgres-server/find-servers.ts';
import { ok, problem, errorMessage, type Finding } from './check-result.ts';

/** A server that let us in. */
export function evaluateReached({ kind, appUrl }: PostgresAddress): Finding {
  const whose = kind === 'private' ? ', the private server' : '';
  return ok('database', `${placeOf(appUrl)}${whose}`);
}

/** A server that cannot be reached, or did not let us in; `databaseUrl` is null for the private one. */
export function evaluateUnreached(databaseUrl: string | null, error: unknown): Finding {
  const place = databaseUrl === null ? 'the private server' : placeOf(databaseUrl);
  const found = `${place} cannot be reached: ${errorMessage(error)}. What needs it was not checked`;
  return problem('database', found, databaseUrl === null ? privateRemedy : remedyFor(error));
}

const privateRemedy =
  'Do what it says; `nightshift stop --force` ends a server that hangs. Or set DATABASE_URL to a Postgres of your own.';

/** By SQLSTATE of the refusal: who is let in, and to what. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [/^28/, 'Check the user and the password in DATABASE_URL, and pg_hba.conf of the server.'],
  [
    /^3D/,
    'Make the database (`createdb NAME`), or correct its name in DATABASE_URL. Then run `nightshift migrate`.',
  ],
  [/^53300/, 'Too many are connected: run fewer processes, or raise max_connections of the server.'],
];

function remedyFor(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const known = remedies.find(([pattern]) => pattern.test(code));
  return known?.[1] ?? 'Check that Postgres runs there, and that host and port in DATABASE_URL are right.';
}

/** Host, port and database of an address, without its login. */
function placeOf(address: string): string {
  const { host, pathname } = new URL(address);
  return `${host}${pathname}`;
}
