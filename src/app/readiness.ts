import { findForeignLockHolder } from '../../db/locks/lock-holder.ts';
import { countPendingMigrations } from '../../db/migrate.ts';
import { schemaFolder } from '../package-root.ts';
import { reachRedis } from '../queue/reach-redis.ts';
import type { Servers } from './servers.ts';

/** State of each part that a request needs: `ok`, or the error. */
export interface Readiness {
  readonly database: string;
  readonly migrations: string;
  readonly queue: string;
  readonly dispatcher: string;
}

/** Asks every part once; an outage is an answer here, not an error. */
export async function readReadiness({ database, redis }: Servers): Promise<Readiness> {
  const pending = await countPendingMigrations(database.pool, schemaFolder).catch(() => null);
  const isThere = pending !== null;
  const onRedis =
    redis !== null &&
    (await reachRedis(redis).then(
      () => 'ok',
      () => 'Redis cannot be reached',
    ));
  const onPostgres = isThere ? 'ok' : 'Postgres cannot be reached';
  const holder = pending === 0 ? await findForeignLockHolder(database.sql).catch(() => null) : null;
  return {
    database: onPostgres,
    migrations: isThere && pending > 0 ? `${pending} are lacking` : onPostgres,
    queue: onRedis === false ? onPostgres : onRedis,
    dispatcher:
      holder === null
        ? 'ok'
        : `The login ${holder} holds the lock of the dispatcher, so no work is given out. End its session (pg_terminate_backend).`,
  };
}
