import { checkAccountLogin } from '../../../db/queries/account-session.ts';
import type { Database } from '../../../db/connection/client.ts';
import { hasAccountLogins, readReachingFunctions } from '../../../db/info/role-info.ts';
import { reachingFunctions } from '../../../db/logins/revoke-functions.ts';
import { Misconfigured } from '../../core/errors.ts';
import type { PostgresAddress } from '../../postgres-server/find-servers.ts';
import { examine, type Finding } from './check-result.ts';
import { evaluateAccountReader, evaluateReach } from './evaluate-account-reader.ts';

/** Time limit of the login. */
const answerMs = 10_000;

/** Checks the login that runs the queries of accounts, and what it and the logins of accounts can do besides reading. */
export async function examineAccountReader(
  database: Database,
  { accountReaderUrl: url }: PostgresAddress,
): Promise<readonly Finding[]> {
  const login = await examine('SQL of accounts', async () => [
    evaluateAccountReader(url !== null, url === null ? null : await loginErrorOf(url, database)),
  ]);
  const isReached = url !== null || (await hasAccountLogins(database.pool).catch(() => false));
  if (!isReached) return login;
  const reach = await examine('reach of accounts', async () => [
    evaluateReach(await readReachingFunctions(database.pool, reachingFunctions)),
  ]);
  return [...login, ...reach];
}

async function loginErrorOf(url: string, { sql: db }: Database): Promise<string | null> {
  try {
    await checkAccountLogin({ url, db, timeoutMs: answerMs });
    return null;
  } catch (error) {
    if (error instanceof Misconfigured) return error.message;
    throw error;
  }
}
