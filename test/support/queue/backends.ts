import { randomBytes } from 'node:crypto';
import { describe, inject } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../db/database.ts';
import type { Environment } from '../cli/nightshift-process.ts';

/** A queue backend for tests. */
export interface Backend {
  readonly kind: 'postgres' | 'redis';
  /** Creates a database and a queue, and returns the settings for them. The end of the test removes both. */
  readonly open: () => Promise<OpenedBackend>;
}

export interface OpenedBackend {
  readonly database: TestDatabase;
  readonly environment: Environment;
}

/** Describes the same tests for each queue backend. Without Redis, its half reports that it did not run. */
export function eachBackend(define: (backend: Backend) => void): void {
  describe('with the queue on postgres', () => define({ kind: 'postgres', open: openOnPostgres }));
  const redisUrl = inject('redisUrl');
  if (redisUrl === null) describe.skip('with the queue on redis (not run: no Redis)', () => define(noRedis));
  else
    describe('with the queue on redis', () => define({ kind: 'redis', open: () => openOnRedis(redisUrl) }));
}

const noRedis: Backend = { kind: 'redis', open: () => Promise.reject(new Error('There is no Redis.')) };

/** Opens the queue in the database of the test. */
export async function openOnPostgres(): Promise<OpenedBackend> {
  const database = await openTestDatabase();
  return { database, environment: { DATABASE_URL: database.url } };
}

/** Opens the queue on this Redis, with an unused prefix. */
export async function openOnRedis(redisUrl: string): Promise<OpenedBackend> {
  const { database, environment } = await openOnPostgres();
  const prefix = `{test-${randomBytes(6).toString('hex')}}`;
  return {
    database,
    environment: { ...environment, REDIS_URL: redisUrl, NIGHTSHIFT_QUEUE_PREFIX: prefix },
  };
}
