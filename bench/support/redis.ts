import type { Closers } from '../../src/closers.ts';
import { findRedisProgram, spawnRedis } from '../../test/support/queue/test-redis.ts';
import { say } from './say.ts';

/** URL of a separate Redis; null, with a message, if there is none on the path. */
export async function openRedis(closers: Closers): Promise<string | null> {
  const program = findRedisProgram();
  if (program === undefined)
    say('NOT MEASURED: the queue on Redis; neither redis-server nor valkey-server is on the path.');
  return program === undefined ? null : closers.add(await spawnRedis(program), (redis) => redis.close()).url;
}
