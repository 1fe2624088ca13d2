import pg from 'pg';
import { sleep } from '../../src/core/async/wait.ts';
import type { LeaderLock } from '../../src/core/work/leader-lock.ts';
import { advisoryLocks } from './advisory-locks.ts';
import { workChannel } from '../connection/notifier.ts';

const askAgainMs = 250;
const roundsPerCheck = 20;
const leaveMsMax = 1000;

export interface LeaderLockOptions {
  readonly url: string;
  readonly role: string;
  /** A process that is frozen for this long loses the lock; milliseconds. */
  readonly leaseMs: number;
}

/**
 * Holds the leader lock as a session advisory lock on its own connection, which also listens for notifications. When the
 * process dies, Postgres releases the lock and the next process takes it. When the process is frozen and silent for a lease,
 * Postgres ends its session.
 */
export function openLeaderLock({ url, role, leaseMs }: LeaderLockOptions): LeaderLock {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'nightshift dispatcher',
    keepAlive: true,
    options: `-c role=${role}`,
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

  return {
    async take(signal) {
      await client.connect();
      await takeLock(client, signal);
      await client.query(`SET idle_session_timeout = ${Math.ceil(leaseMs)}`);
      await client.query(`LISTEN ${workChannel}`);
      signOfLife = setInterval(() => void client.query('SELECT 1').catch(lose), leaseMs / 3);
    },
    async wait(timeoutMs, signal) {
      await notifier.heard(timeoutMs, signal);
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
