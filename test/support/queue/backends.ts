import { randomBytes } from 'node:crypto';
import { describe, inject } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../db/database.ts';
import type { Environment } from '../cli/nightshift-process.ts';

/** A queue backend, as a test meets it. */
export interface Backend {
  readonly kind: 'postgres' | 'redis';
  /** A fresh database and a fresh queue, and the settings under which the product uses them. Goes when the test ends. */
  readonly open: () => Promise<OpenedBackend>;
}

export interface OpenedBackend {
  readonly database: TestDatabase;
  readonly environment: Environment;
}

/** Describes the same tests once for each queue backend; where there is no Redis, that half says that it was not run. */
export function eachBackend(define: (backend: Backend) => void): void {
  describe('with the queue on postgres', () => define({ kind: 'postgres', open: openOnPostgres }));
  const redisUrl = inject('redisUrl');
  if (redisUrl === null) describe.skip('with the queue on redis (not run: no Redis)', () => define(noRedis));
  else
    describe('with the queue on redis', () => define({ kind: 'redis', open: () => openOnRedis(redisUrl) }));
}

const noRedis: Backend = { kind: 'redis', open: () => Promise.reject(new Error('There is no Redis.')) };

/** The queue in the test's own database. */
export async function openOnPostgres(): Promise<OpenedBackend> {
  const database = await openTestDatabase();
  return { database, environment: { DATABASE_URL: database.url } };
}

/** The queue on this Redis, under an unused prefix. */
export async function openOnRedis(redisUrl: string): Promise<OpenedBackend> {
  const { database, environment } = await openOnPostgres();
  const prefix = `{test-${randomBytes(6).toString('hex')}}`;
  return {
    database,
    environment: { ...environment, REDIS_URL: redisUrl, NIGHTSHIFT_QUEUE_PREFIX: prefix },
  };
}
