import { vi } from 'vitest';
import { waitMsMax } from '../wait-bound.ts';
import { readInfo, type RedisProcess } from './redis-process.ts';

/** Loss of a server: `kill -9`, or frozen, which leaves its connections open until it comes back as a master of the past. */
export type Loss = 'kill' | 'freeze';

/** Servers of which another takes over when one is lost. */
export interface FailingRedis {
  readonly url: string;
  readonly failOver: (options: FailoverOptions) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface FailoverOptions {
  /** Prefix of the keys whose server is lost. */
  readonly prefix: string;
  readonly loss: Loss;
  /** Runs when the server is lost and no other has taken over. */
  readonly meanwhile?: () => Promise<void>;
  /** Waits for work on the new master. Until then the old one stays away, as a machine that vanished. */
  readonly untilWorkGoesOn?: () => Promise<void>;
}

/**
 * Loses the master, waits until another is master by the account of those who decide it and by its own, brings the old one back, and waits
 * until the new one has a replica: the next failover needs one.
 */
export async function loseMaster(
  servers: readonly RedisProcess[],
  findMaster: () => Promise<RedisProcess>,
  { loss, meanwhile, untilWorkGoesOn }: FailoverOptions,
): Promise<void> {
  const wait = { timeout: waitMsMax, interval: 50 };
  const old = await vi.waitFor(findMaster, wait);
  if (loss === 'kill') await old.kill();
  else old.freeze();
  await meanwhile?.();
  const next = await vi.waitFor(async () => {
    const master = await findMaster();
    if (master === old || (await readInfo(master, 'role')) !== 'master')
      throw new Error(`No other of ${servers.length} servers has taken over.`);
    return master;
  }, wait);
  await untilWorkGoesOn?.();
  await old.bringBack();
  await vi.waitFor(async () => {
    if (!(await next.client.info('replication')).includes('state=online'))
      throw new Error('The new master has no replica with its data.');
  }, wait);
}
