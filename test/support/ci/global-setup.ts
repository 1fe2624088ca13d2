import type { TestProject } from 'vitest/node';
import { buildOnce } from './build-once.ts';
import { useScratchFolder } from './scratch-folder.ts';
import { openTestPostgres } from '../db/test-postgres.ts';
import { openTestRedis } from '../queue/test-redis.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a superuser on the server of this run. */
    readonly postgresUrl: string;
    /** URL of the login that reads any account, bound to one. */
    readonly accountReaderUrl: string;
    /** Redis of this run; null if there is none. */
    readonly redisUrl: string | null;
  }
}

/** Starts the servers of a run once; every test creates its own database and queue prefix on them. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const clearScratch = useScratchFolder();
  buildOnce();
  const postgres = await openTestPostgres();
  const redis = await openTestRedis();
  project.provide('postgresUrl', postgres.url);
  project.provide('accountReaderUrl', postgres.accountReaderUrl);
  project.provide('redisUrl', redis?.url ?? null);
  return async () => {
    await redis?.close();
    await postgres.close();
    clearScratch();
  };
}
