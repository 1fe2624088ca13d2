import type { Redis } from 'ioredis';
import { parseRedisAddress, type RedisMaster } from '../core/work/redis-address.ts';
import { openSentinel } from './open-redis.ts';

/** Arrangement in which the servers of `REDIS_URL` stand in for each other. */
export type RedisTopology = { readonly kind: 'server' } | { readonly kind: 'cluster' } | SentinelTopology;

/** Sentinels of a master. */
export interface SentinelTopology {
  readonly kind: 'sentinel';
  readonly master: string;
  /** Number of sentinels that can be used, according to one of them. */
  readonly usable: number;
  /** True if they are enough to decide a failover. */
  readonly hasQuorum: boolean;
  /** Sentinels of `REDIS_URL` that did not answer, as `host:port`. */
  readonly silent: readonly string[];
}

/** Reads the topology. Asks every sentinel of `REDIS_URL`; one that does not answer is reported as silent. */
export async function readRedisTopology(url: string): Promise<RedisTopology> {
  const address = parseRedisAddress(url);
  return address.kind === 'sentinel' ? readSentinels(address) : { kind: address.kind };
}

async function readSentinels(address: RedisMaster): Promise<SentinelTopology> {
  const { master } = address;
  const answers = await Promise.all(
    address.sentinels.map(async (endpoint) => {
      const client = openSentinel(endpoint, address);
      try {
        return { endpoint, answer: await askForQuorum(client, master) };
      } catch {
        return { endpoint, answer: null };
      } finally {
        client.disconnect();
      }
    }),
  );
  const [best] = answers.flatMap(({ answer }) => answer ?? []).sort((a, b) => b.usable - a.usable);
  return {
    kind: 'sentinel',
    master,
    ...(best ?? { usable: 0, hasQuorum: false }),
    silent: answers.flatMap(({ endpoint: { host, port }, answer }) =>
      answer === null ? [`${host}:${port}`] : [],
    ),
  };
}

/** Asks a sentinel whether a failover could be decided. Its answer begins with OK or NOQUORUM and counts the usable sentinels. */
async function askForQuorum(
  client: Redis,
  master: string,
): Promise<Pick<SentinelTopology, 'usable' | 'hasQuorum'>> {
  const answer = await client.call('SENTINEL', 'CKQUORUM', master).catch((error: unknown) => {
    if (error instanceof Error && error.message.startsWith('NOQUORUM')) return error.message;
    throw error;
  });
  const [, usable = '0'] = /(\d+) usable/.exec(String(answer)) ?? [];
  return { usable: Number(usable), hasQuorum: String(answer).startsWith('OK') };
}
