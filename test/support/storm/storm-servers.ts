import { once } from 'node:events';
import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import type { OpenedBackend } from '../queue/backends.ts';
import { emptyQueueTables } from '../queue/lost-queue.ts';
import { findRedisProgram, spawnRedis } from '../queue/test-redis.ts';
import { openOwnPostgres } from './own-postgres.ts';

/** Servers of one storm run, not shared with other tests: they may be killed. */
export interface StormServers extends OpenedBackend {
  /** Kills Postgres and starts it again on the same port with the same data. */
  readonly restartPostgres: () => Promise<void>;
  /** Deletes every job, like an administrator at a console. */
  readonly emptyQueue: () => Promise<void>;
  /** `kill -9` of Redis, and a new one with its append-only file; null if the queue is on Postgres. */
  readonly restartRedis: (() => Promise<void>) | null;
}

/** Starts a Postgres with the queue on it. The end of the test removes it. */
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

/** Starts a Postgres, and a Redis with the queue on it. The end of the test removes both. */
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
