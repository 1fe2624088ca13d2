import { once } from 'node:events';
import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import type { OpenedBackend } from '../queue/backends.ts';
import { emptyQueueTables } from '../queue/lost-queue.ts';
import { findRedisProgram, spawnRedis } from '../queue/test-redis.ts';
import { openOwnPostgres } from './own-postgres.ts';

/** The servers of one storm run, which no other test uses: they may be killed. */
export interface StormServers extends OpenedBackend {
  /** Ends Postgres in the middle of whatever it does, and starts it again on the same port with the same data. */
  readonly restartPostgres: () => Promise<void>;
  /** Throws every job away, as somebody with an administrator's console would. */
  readonly emptyQueue: () => Promise<void>;
  /** `kill -9` of Redis, and a new one with its append-only file; null where the queue is on Postgres. */
  readonly restartRedis: (() => Promise<void>) | null;
}

/** A Postgres with the queue on it. Both go when the test ends. */
export async function openServersOnPostgres(): Promise<StormServers> {
  const { database, restart } = await openOwnPostgres();
  return {
    database,
    environment: { DATABASE_URL: database.url },
    restartPostgres: restart,
    restartRedis: null,
    emptyQueue: async () => void (await emptyQueueTables(database)),
  };
}

/** A Postgres, and a Redis with the queue on it. Both go when the test ends. */
export async function openServersOnRedis(): Promise<StormServers> {
  const program = findRedisProgram() ?? 'redis-server';
  const { database, restart } = await openOwnPostgres();
  let redis = await spawnRedis(program);
  onTestFinished(() => redis.close());
  return {
    database,
    environment: { DATABASE_URL: database.url, REDIS_URL: redis.url },
    restartPostgres: restart,
    async restartRedis() {
      const { port, folder, child } = redis;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      redis = await spawnRedis(program, { port, folder });
    },
    async emptyQueue() {
      const client = new Redis(redis.url);
      await client.flushall();
      client.disconnect();
    },
  };
}
