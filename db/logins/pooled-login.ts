import { Misconfigured } from '../../src/core/errors.ts';
import { openDatabase } from '../connection/client.ts';
import { readPooledLogin, type PooledLogin } from '../info/pooled-login-info.ts';
import type { Asked } from '../info/server-info.ts';

/** Says why a login cannot be used through a pooler; null when it can. */
export function findPooledLoginMistake({ login, isApp, isMighty }: PooledLogin): string | null {
  if (isApp && !isMighty) return null;
  const what = isMighty ? 'may change the schema or the ledger' : 'is no member of nightshift_app';
  return `The login "${login}" of DATABASE_URL ${what}. Through a pooler it acts with its own rights, so it must be a member of nightshift_app and nothing more`;
}

/** @throws Misconfigured when the login cannot be used through a pooler. */
export async function assertPooledLogin(asked: Asked): Promise<void> {
  const mistake = findPooledLoginMistake(await readPooledLogin(asked));
  if (mistake !== null)
    throw new Misconfigured(
      `${mistake}. Put the owner into NIGHTSHIFT_OWNER_URL, give DATABASE_URL a login of its own, and run \`nightshift migrate --logins\`.`,
    );
}

/**
 * Limits idle transactions of the login in this database, because its sessions through a pooler cannot set a limit. A login may change its own
 * defaults; sessions that the pooler has opened before keep theirs.
 */
export async function limitPooledLogin(url: string, transactionIdleMsMax: number): Promise<void> {
  const database = openDatabase({
    url,
    isPooled: true,
    role: null,
    connectionsMax: 1,
    name: 'nightshift migrate',
    onIdleError: () => undefined,
  });
  try {
    const { rows } = await database.pool.query<{ statement: string }>(
      `SELECT format('ALTER ROLE %I IN DATABASE %I SET idle_in_transaction_session_timeout = %s', current_user, current_database(), $1::integer)
        AS statement`,
      [Math.ceil(transactionIdleMsMax)],
    );
    for (const { statement } of rows) await database.pool.query(statement);
  } finally {
    await database.close();
  }
}
