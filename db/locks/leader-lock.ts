import type pg from 'pg';
import { sleep } from '../../src/core/async/wait.ts';
import type { LeaderLock } from '../../src/core/work/leader-lock.ts';
import { advisoryLocks } from './advisory-locks.ts';
import { workChannel } from '../connection/notifier.ts';
import { assertOwnSession } from '../connection/pooled-session.ts';
import { createClient, sessionOptions } from '../connection/postgres-client.ts';

const askAgainMs = 250;
const roundsPerCheck = 20;
const leaveMsMax = 1000;

export interface LeaderLockOptions {
  /** Address of the server itself: a pooler in transaction mode would give the lock to another session. */
  readonly url: string;
  readonly role: string;
  /** A process that is frozen for this long loses the lock; milliseconds. */
  readonly leaseMs: number;
}

/**
 * Holds the leader lock as a session advisory lock on its own connection, which also listens for notifications. When the
 * process dies, Postgres releases the lock and the next process takes it. When the process is frozen and silent for a lease,
 * Postgres ends its session.
 *
 * The process itself counts the lock as lost when no sign of life was answered for a lease, before Postgres releases it: a connection that
 * was cut off may never report its end.
 */
export function openLeaderLock({ url, role, leaseMs }: LeaderLockOptions): LeaderLock {
  const client = createClient({
    ...sessionOptions(url, { role }),
    application_name: 'nightshift dispatcher',
  });
  const notifier = createNotifier();
  let lost: Error | null = null;
  const lose = (error: Error) => {
    lost ??= error;
    notifier.ring();
  };
  client.on('error', lose);
  client.on('end', () => lose(new Error('The connection that held the leader lock has ended.')));
  client.on('notification', notifier.ring);
  let signOfLife: NodeJS.Timeout | undefined;
  let seenAliveAtMs = Infinity;

  async function giveSign(): Promise<void> {
    loseUnlessSeen();
    const sentAtMs = performance.now();
    try {
      await client.query('SELECT 1');
      seenAliveAtMs = sentAtMs;
    } catch (error) {
      lose(error instanceof Error ? error : new Error(String(error)));
    }
  }

  function loseUnlessSeen(): void {
    if (performance.now() - seenAliveAtMs < leaseMs) return;
    lose(new Error('Postgres did not answer the holder of the leader lock for a lease.'));
  }

  return {
    async take(signal) {
      await client.connect();
      await assertOwnSession(client);
      await takeLock(client, signal);
      await client.query(`SET idle_session_timeout = ${Math.ceil(leaseMs)}`);
      await client.query(`LISTEN ${workChannel}`);
      await giveSign();
      signOfLife = setInterval(() => void giveSign(), leaseMs / 3);
    },
    async wait(timeoutMs, signal) {
      await notifier.heard(timeoutMs, signal);
      loseUnlessSeen();
      if (lost !== null) throw lost;
    },
    async leave() {
      clearInterval(signOfLife);
      lost ??= new Error('The leader lock was released.');
      // A stop must not hang on a connection that never reports its end.
      const waitBudget = new AbortController();
      await Promise.race([client.end(), sleep(leaveMsMax, waitBudget.signal)]).catch(() => undefined);
      waitBudget.abort();
    },
  };
}

/** Ends sessions of accounts that hold the lock, and waits for another dispatcher. */
async function takeLock(client: pg.Client, signal: AbortSignal): Promise<void> {
  for (let round = 0; !(await tryLock(client)); round += 1) {
    if (round % roundsPerCheck === 0) await client.query('SELECT nightshift.end_lock_holders()');
    await sleep(askAgainMs, signal);
  }
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const result = await client.query<{ locked: boolean }>(
    `SELECT pg_try_advisory_lock(${advisoryLocks.dispatcher}) AS locked`,
  );
  return result.rows[0]?.locked === true;
}

/** Creates a notifier that remembers one notification until it is awaited. */
function createNotifier() {
  let rung = false;
  let wake = new AbortController();
  return {
    ring(this: void) {
      rung = true;
      wake.abort();
    },
    async heard(timeoutMs: number, signal: AbortSignal): Promise<void> {
      signal.throwIfAborted();
      if (!rung) {
        const stopWaiting = () => wake.abort();
        signal.addEventListener('abort', stopWaiting, { once: true });
        await sleep(timeoutMs, wake.signal).catch(() => undefined);
        signal.removeEventListener('abort', stopWaiting);
        signal.throwIfAborted();
      }
      rung = false;
      wake = new AbortController();
    },
  };
}
