import { sql, type SQL } from 'drizzle-orm';
import type { Sql } from '../connection/client.ts';

/** Called with the reason, such as `a purge is deleting unused ads`, before a caller waits for another process. */
export type OnWait = (reason: string) => void;

export interface LockOptions {
  /** Scope of the lock: the session, or the transaction that `db` is in. */
  readonly lasts: 'session' | 'transaction';
  /** Holders of a shared lock wait only for an exclusive holder. Default false. */
  readonly isShared?: boolean;
  /** Work of another process that blocks the lock, as a clause: `another process is loading the same file`. */
  readonly reason: string;
  readonly onWait?: OnWait | undefined;
}

/** Takes an advisory lock of `advisoryLocks`, and reports the reason when it has to wait. */
export async function waitForLock(
  db: Pick<Sql, 'execute'>,
  keys: readonly [number] | readonly [number, number],
  { lasts, isShared = false, reason, onWait }: LockOptions,
): Promise<void> {
  const name = `advisory_${lasts === 'session' ? '' : 'xact_'}lock${isShared ? '_shared' : ''}`;
  const args = sql.join(
    keys.map((key) => sql`${key}`),
    sql`, `,
  );
  const call = (prefix: string): SQL => sql`SELECT ${sql.raw(`${prefix}${name}`)}(${args}) AS taken`;
  const { rows } = await db.execute<{ taken: boolean }>(call('pg_try_'));
  if (rows[0]?.taken === true) return;
  onWait?.(reason);
  await db.execute(call('pg_'));
}
