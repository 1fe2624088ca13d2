import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openTestPostgres } from './test-postgres.ts';
import { openTestRedis } from './test-redis.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's address on the server of this run. */
    readonly postgresUrl: string;
    /** The Redis of this run, or null where none can be had. */
    readonly redisUrl: string | null;
  }
}

/** Boots the servers of a run once; every test takes a database and a queue prefix of its own on them. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  buildOnce();
  const postgres = await openTestPostgres();
  const redis = await openTestRedis();
  project.provide('postgresUrl', postgres.url);
  project.provide('redisUrl', redis?.url ?? null);
  return async () => {
    await redis?.close();
    await postgres.close();
  };
}

/** Before any test starts the command line: the first one would build it, and the others would wait for that. */
function buildOnce(): void {
  const bin = join(import.meta.dirname, '../../src/cli/nightshift.js');
  const { status } = spawnSync(process.execPath, [bin, '--build-only'], { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('The product does not build; what the compiler says stands above.');
}
