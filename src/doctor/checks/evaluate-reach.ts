import type { PostgresAddress } from '../../postgres-server/find-servers.ts';
import { ok, problem, warning, errorMessage, type Finding } from './check-result.ts';

/** Creates the result for a server that accepted the connection. */
export function evaluateReached({ kind, appUrl }: PostgresAddress): Finding {
  const whose = kind === 'private' ? ', the private server' : '';
  return ok('database', `${placeOf(appUrl)}${whose}`);
}

/** Creates the result for a home in which no private server has been created. */
export function evaluateMissing(home: string): Finding {
  return warning(
    'database',
    `none in ${home} yet. Checks that need it were skipped`,
    '`nightshift demo` creates one with sample data, `nightshift up` an empty one. For your own Postgres, set DATABASE_URL.',
  );
}

/** Creates the result for a server that is unreachable or rejected the login; `databaseUrl` is null for the private one. */
export function evaluateUnreached(databaseUrl: string | null, error: unknown): Finding {
  const place = databaseUrl === null ? 'the private server' : placeOf(databaseUrl);
  const found = `${place} is unreachable: ${errorMessage(error)}. Checks that need it were skipped`;
  return problem('database', found, databaseUrl === null ? privateRemedy : remedyFor(error));
}

const privateRemedy =
  'Follow the message; `nightshift stop --force` stops a server that hangs. Or set DATABASE_URL to your own Postgres.';

/** Remedies by SQLSTATE. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [/^28/, 'Check the user and the password in DATABASE_URL, and pg_hba.conf on the server.'],
  [
    /^3D/,
    'Create the database (`createdb NAME`), or correct its name in DATABASE_URL. Then run `nightshift migrate`.',
  ],
  [/^53300/, 'There are too many connections: run fewer processes, or raise max_connections of the server.'],
];

function remedyFor(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const known = remedies.find(([pattern]) => pattern.test(code));
  return known?.[1] ?? 'Check that Postgres is running, and that host and port in DATABASE_URL are correct.';
}

/** Returns host, port and database of a URL, without its login. */
function placeOf(address: string): string {
  const { host, pathname } = new URL(address);
  return `${host}${pathname}`;
}
