import { findForeignLockHolder } from '../../db/locks/lock-holder.ts';
import { countPendingMigrations } from '../../db/migrate.ts';
import { schemaFolder } from '../package-root.ts';
import { reachRedis } from '../queue/reach-redis.ts';
import type { Servers } from './servers.ts';

/** State of each part of the service: `ok`, or the error. */
export interface Readiness {
  readonly database: string;
  readonly migrations: string;
  readonly queue: string;
  readonly dispatcher: string;
}

/** Checks every part once. An outage is part of the result, not an error. */
export async function readReadiness({ database, redis }: Servers): Promise<Readiness> {
  const pending = await countPendingMigrations(database.pool, schemaFolder).catch(() => null);
  const isReached = pending !== null;
  const onRedis =
    redis !== null &&
    (await reachRedis(redis).then(
      () => 'ok',
      () => 'Redis is unreachable',
    ));
  const onPostgres = isReached ? 'ok' : 'Postgres is unreachable';
  const holder = pending === 0 ? await findForeignLockHolder(database.sql).catch(() => null) : null;
  return {
    database: onPostgres,
    migrations: isReached && pending > 0 ? `${pending} pending` : onPostgres,
    queue: onRedis === false ? onPostgres : onRedis,
    dispatcher:
      holder === null
        ? 'ok'
        : `The login ${holder} holds the lock of the dispatcher, so no work is dispatched. End its session (pg_terminate_backend).`,
  };
}
