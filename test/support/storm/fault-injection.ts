import { setTimeout as wait } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import type { TestDatabase } from '../db/database.ts';
import type { PostgresProxy } from '../db/postgres-proxy.ts';
import { countExpiredLeases, listQueued, untilMoreDone } from './progress.ts';
import type { FaultInjection } from './storm.ts';
import { faultWaitMsMax, waitMsMax } from '../wait-bound.ts';

/** Lease of the workers. */
export const leaseSeconds = 2;

/** Number of lookups that finish between two faults, so that the next one interrupts workers during their work. */
const doneBetween = 50;

/** `kill -9` of a busy worker, or, in one case of five, of any worker, including its first half second. Another one starts at once. */
export const killWorkers: FaultInjection = async ({ run, random }, workerPool, faults) => {
  for (let killed = 0; killed < faults; killed++) {
    await vi.waitUntil(() => workerPool.working().length >= 2, { timeout: waitMsMax, interval: 10 });
    // Not an event to wait for: the moment must be random.
    await wait(100 + random(300));
    const [victim] = pick(random(5) === 0 ? workerPool.workers() : workerPool.working(), 1, random);
    workerPool.startWorker();
    if (victim !== undefined) await workerPool.kill(victim);
  }
  await untilMoreDone(run.database, doneBetween);
};

/** Stops two workers at a time, and continues them when others have taken over all their work. */
export const freezeWorkers: FaultInjection = async ({ run, random }, workerPool, faults) => {
  let [frozen, idle] = [0, 0];
  while (frozen < faults) {
    await untilMoreDone(run.database, doneBetween);
    const zombies = pick(workerPool.workers(), 2, random);
    for (const { pid } of zombies) process.kill(pid, 'SIGSTOP');
    try {
      const hadWork = await waitForTakeover(run.database);
      if (hadWork) frozen += 2;
      else idle++;
    } finally {
      for (const { pid } of zombies) process.kill(pid, 'SIGCONT');
    }
    // Workers that have just continued may not have new work yet. Repeatedly, this would not be a coincidence.
    expect(idle, 'pairs of workers that had nothing to do').toBeLessThan(5);
  }
  await untilMoreDone(run.database, doneBetween);
};

/** Cuts connections at every third COMMIT, alternately before Postgres receives it and after it is done, which loses the answer. */
export function loseCommits(proxy: PostgresProxy): FaultInjection {
  return async ({ run }, _pool, faults) => {
    const times = 2 * faults;
    proxy.cutCommits({ everyNth: 3, times });
    await vi.waitUntil(() => proxy.cuts() === times, { timeout: 180_000 + 900 * times, interval: 50 });
    await untilMoreDone(run.database, doneBetween);
  };
}

/** Restarts a server repeatedly during the run. */
export function restart(restartServer: () => Promise<void>): FaultInjection {
  return async ({ run, random }, _pool, faults) => {
    for (let restarted = 0; restarted < faults; restarted++) {
      await wait(random(500));
      await restartServer();
      await untilMoreDone(run.database, doneBetween);
    }
  };
}

/** Deletes every job while there are many. */
export const emptyQueue: FaultInjection = async ({ run, servers }, _pool, faults) => {
  for (let emptied = 0; emptied < faults; emptied++) {
    const queued = await untilQueued(run.database);
    await servers.emptyQueue();
    await vi.waitUntil(
      async () => {
        const still = new Set(await listQueued(run.database));
        return queued.every((job) => !still.has(job));
      },
      // The queue holds a seventh of the batch, and the rate limit stretches the batch to four minutes.
      { timeout: 180_000, interval: 100 },
    );
    await untilMoreDone(run.database, doneBetween);
  }
};

/** Resolves when leases have expired and their work is claimed by others; with false if none expires. */
async function waitForTakeover(database: TestDatabase): Promise<boolean> {
  const lapsed = vi.waitUntil(async () => (await countExpiredLeases(database)) > 0, {
    timeout: 10_000,
    interval: 20,
  });
  if (!(await lapsed.catch(() => false))) return false;
  // Leases of two workers do not expire at the same moment.
  await wait(leaseSeconds * 1000);
  await vi.waitFor(
    async () => expect(await countExpiredLeases(database), 'chunks nobody took over').toBe(0),
    { timeout: faultWaitMsMax, interval: 20 },
  );
  return true;
}

async function untilQueued(database: TestDatabase): Promise<readonly string[]> {
  return vi.waitFor(
    async () => {
      const queued = await listQueued(database);
      expect(queued.length, 'jobs in the queue').toBeGreaterThan(5);
      return queued;
    },
    { timeout: waitMsMax, interval: 50 },
  );
}

/** Picks this many distinct items. */
function pick<T>(items: readonly T[], howMany: number, random: (below: number) => number): readonly T[] {
  const left = [...items];
  return Array.from({ length: howMany }, () => left.splice(random(left.length), 1)).flat();
}
