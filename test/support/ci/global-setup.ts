import type { TestProject } from 'vitest/node';
import { buildOnce } from './build-once.ts';
import { useScratchFolder } from './scratch-folder.ts';
import { openTestPostgres } from '../db/test-postgres.ts';
import { openTestRedis } from '../queue/test-redis.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's address on the server of this run. */
    readonly postgresUrl: string;
    /** The login on it that reads any account, bound to one. */
    readonly accountReaderUrl: string;
    /** The Redis of this run, or null where none can be had. */
    readonly redisUrl: string | null;
  }
}

/** Boots the servers of a run once; every test takes a database and a queue prefix of its own on them. */
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
