import { realpath } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Conflict, DatabaseUnavailable } from '../core/errors.ts';
import { withSuperuser } from './connection.ts';
import { isPassing } from './connect.ts';
import { findLostData, type KeptData } from './recover-state.ts';
import { readRunningPostmaster, removeStalePidFile, type Postmaster } from './postmaster.ts';
import { logPath } from './server-log.ts';
import { readState, statePath } from './state.ts';
import { errorCode, explainSystemError } from './system/system-error.ts';
import { removeLeftovers } from './system/temporary-name.ts';

/** A fast shutdown ends every connection and writes all data out; on a slow disk that takes its time. */
const stopMsMax = 60_000;

const pollMs = 10;

/** Server to stop, and the treatment of its other users. */
export interface StopOptions {
  /** Absolute path of the home folder. */
  readonly home: string;
  /** Stop it even while others are connected: their transactions are rolled back. */
  readonly force: boolean;
}

/**
 * Stops the private server of a home, if it runs, and clears away what killed processes left there.
 *
 * @throws Conflict when others are connected and `force` is false, saying how many.
 * @throws DatabaseUnavailable when it cannot be asked who is connected, or has not ended within 60 s.
 */
export async function stopPrivateServer({ home, force }: StopOptions): Promise<'stopped' | 'not_running'> {
  try {
    const realHome = await findHome(home);
    if (realHome === undefined) return 'not_running';
    const state = (await readState(realHome)) ?? (await findLostData(realHome));
    if (state === undefined) return 'not_running';
    const running = await readRunningPostmaster(state.dataFolder);
    if (running !== undefined) await stop(running, state, force);
    await removeStalePidFile(state.dataFolder);
    await removeLeftovers(state.dataFolder);
    await removeLeftovers(statePath(realHome));
    return running === undefined ? 'not_running' : 'stopped';
  } catch (error) {
    throw explainSystemError(error, `The private Postgres server in ${home} cannot be stopped`);
  }
}

async function stop(postmaster: Postmaster, state: KeptData, force: boolean): Promise<void> {
  if (!force) await rejectWhileUsed(postmaster, state);
  sendFastShutdown(postmaster.pid);
  const deadline = Date.now() + stopMsMax;
  while ((await readRunningPostmaster(state.dataFolder))?.pid === postmaster.pid) {
    if (Date.now() > deadline) {
      throw new DatabaseUnavailable(
        `The private Postgres server (pid ${postmaster.pid}) is still shutting down after ${stopMsMax / 1000} s. Wait for it; its log: ${logPath(state.dataFolder)}`,
      );
    }
    await delay(pollMs);
  }
}

async function rejectWhileUsed(postmaster: Postmaster, state: KeptData): Promise<void> {
  const others = await countOthers(postmaster, state);
  if (others === 0) return;
  const who = others === 1 ? '1 other connection is' : `${others} other connections are`;
  throw new Conflict(
    `${who} open to the private Postgres server. End them first, or stop it all the same with --force.`,
  );
}

/** Nobody is connected to a server that is on its way up or down. */
async function countOthers({ port, ready }: Postmaster, { passwords }: KeptData): Promise<number> {
  if (!ready || port === undefined) return 0;
  try {
    return await withSuperuser({ port, password: passwords.postgres }, async (client) => {
      const result = await client.query<{ others: number }>(
        `SELECT count(*)::int AS others FROM pg_stat_activity
         WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
      );
      return result.rows[0]?.others ?? 0;
    });
  } catch (error) {
    if (isPassing(error)) return 0;
    throw new DatabaseUnavailable(
      'The private Postgres server does not say who is connected. Stop it all the same with --force.',
      { cause: error },
    );
  }
}

/** SIGINT: no new connections, open transactions rolled back, data written out (PostgreSQL docs, "Shutting Down"). */
function sendFastShutdown(pid: number): void {
  try {
    process.kill(pid, 'SIGINT');
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

async function findHome(home: string): Promise<string | undefined> {
  try {
    return await realpath(home);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
