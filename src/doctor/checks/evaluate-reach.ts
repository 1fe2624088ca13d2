import { parsePostgresUrl } from '../../core/postgres-url.ts';
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
  return (
    findRemedy(error) ?? 'Check that Postgres is running, and that host and port in DATABASE_URL are correct.'
  );
}

/** The error of several servers has that of one of them as its cause. */
function findRemedy(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const known = remedies.find(([pattern]) => pattern.test(code));
  return known?.[1] ?? findRemedy(error.cause);
}

/** State of the pooler before a server of the user's own. */
export interface PoolerInfo {
  /** Address of the pooler, or of the server if there is none. */
  readonly appUrl: string;
  /** Address of the server itself: `NIGHTSHIFT_DIRECT_URL`, which is set if `isPooled`. */
  readonly directUrl: string;
  readonly isPooled: boolean;
  /** True if a login at `directUrl` gets a session of its own. */
  readonly hasSession: boolean;
  /** Null without a pooler. */
  readonly pooled: {
    /** The reason why the login cannot be used; null without one. */
    readonly mistake: string | null;
    /** Limit of idle transactions in milliseconds; 0 for none. */
    readonly transactionIdleMsMax: number;
    /** True if both addresses lead to the same database. */
    readonly isSameDatabase: boolean;
  } | null;
}

/** Checks that work which needs a session has one, and what goes through the pooler. */
export function evaluatePooler(info: PoolerInfo): readonly Finding[] {
  const name = 'pooler';
  const { appUrl, directUrl, isPooled, hasSession, pooled } = info;
  if (!hasSession) {
    const setting = isPooled ? 'NIGHTSHIFT_DIRECT_URL' : 'DATABASE_URL';
    const found = `a pooler answers at ${setting}, so locks and notifications are lost between transactions`;
    const remedy = isPooled
      ? 'Set NIGHTSHIFT_DIRECT_URL to the address of the Postgres server itself.'
      : 'Set NIGHTSHIFT_DIRECT_URL to the address of the Postgres server itself, and run `nightshift migrate`.';
    return [problem(name, found, remedy)];
  }
  if (pooled === null) return [];
  if (pooled.mistake !== null) {
    const remedy =
      'Put the owner into NIGHTSHIFT_OWNER_URL, give DATABASE_URL a login of its own, and run `nightshift migrate --logins`.';
    return [problem(name, pooled.mistake, remedy)];
  }
  if (!pooled.isSameDatabase) {
    const found = `DATABASE_URL and NIGHTSHIFT_DIRECT_URL lead to different databases`;
    return [problem(name, found, 'Let both lead to the same database, one of them through the pooler.')];
  }
  if (pooled.transactionIdleMsMax === 0) {
    const found =
      'idle transactions through the pooler have no time limit, so a frozen process keeps rows locked';
    return [
      warning(
        name,
        found,
        'Run `nightshift migrate`, which sets it, then `RECONNECT` in the console of PgBouncer.',
      ),
    ];
  }
  return [ok(name, `${placeOf(appUrl)}; sessions at ${placeOf(directUrl)}`)];
}

/** Returns servers and database of a URL, without its login. */
function placeOf(address: string): string {
  return parsePostgresUrl(address).place;
}
