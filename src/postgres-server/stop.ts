import { setTimeout as delay } from 'node:timers/promises';
import { Conflict, DatabaseUnavailable } from '../core/errors.ts';
import { withSuperuser } from './connection.ts';
import { isPassing } from './connect.ts';
import { clearLeftovers } from './leftovers.ts';
import { findHomeData, findRealHome, type KeptData } from './recover-state.ts';
import { readRunningPostmaster, removeStalePidFile, type Postmaster } from './postmaster.ts';
import { serverUrl, type PrivateServer } from './private-server.ts';
import { logPath } from './server-log.ts';
import { statePath } from './state.ts';
import { errorCode, explainSystemError } from './system/system-error.ts';
import { removeLeftovers } from './system/temporary-name.ts';

/** Time limit of a fast shutdown, which ends all connections and writes all data to the disk. */
const stopMsMax = 60_000;

const pollMs = 10;

/** Options of a stop. */
export interface StopOptions {
  /** Absolute path of the home folder. */
  readonly home: string;
  /** True to stop it while other sessions are connected: their transactions are rolled back. */
  readonly force: boolean;
  /** Runs before the server stops, if it accepts connections. Default: nothing. */
  readonly beforeStop?: (server: Pick<PrivateServer, 'url' | 'dataFolder'>) => Promise<void>;
}

/**
 * Stops the private server of a home, if it is running, and removes leftovers of killed processes.
 *
 * @throws Conflict with the number of other connections, if there are any and `force` is false.
 * @throws DatabaseUnavailable when the connections cannot be counted, or the server has not stopped within 60 s.
 */
export async function stopPrivateServer(options: StopOptions): Promise<'stopped' | 'not_running'> {
  const { home } = options;
  try {
    const realHome = await findRealHome(home);
    if (realHome === undefined) return 'not_running';
    await clearLeftovers(realHome);
    await removeLeftovers(statePath(realHome));
    const state = (await findHomeData(realHome))?.data;
    if (state === undefined) return 'not_running';
    const running = await readRunningPostmaster(state.dataFolder);
    if (running !== undefined) await stop(running, state, options);
    await removeStalePidFile(state.dataFolder);
    return running === undefined ? 'not_running' : 'stopped';
  } catch (error) {
    throw explainSystemError(error, `Cannot stop the private Postgres server in ${home}`);
  }
}

async function stop(
  postmaster: Postmaster,
  state: KeptData,
  { force, beforeStop }: StopOptions,
): Promise<void> {
  if (!force) await rejectWhileUsed(postmaster, state);
  const { ready, port } = postmaster;
  if (ready && port !== undefined)
    await beforeStop?.({ url: serverUrl(state, port), dataFolder: state.dataFolder });
  // Another process may have connected meanwhile.
  if (!force && beforeStop !== undefined) await rejectWhileUsed(postmaster, state);
  sendFastShutdown(postmaster.pid);
  const deadline = Date.now() + stopMsMax;
  while ((await readRunningPostmaster(state.dataFolder))?.pid === postmaster.pid) {
    if (Date.now() > deadline) {
      throw new DatabaseUnavailable(
        `The private Postgres server (pid ${postmaster.pid}) is still shutting down after ${stopMsMax / 1000} s. Wait for it, or check its log: ${logPath(state.dataFolder)}`,
      );
    }
    await delay(pollMs);
  }
}

async function rejectWhileUsed(postmaster: Postmaster, state: KeptData): Promise<void> {
  const others = await countOthers(postmaster, state);
  if (others === 0) return;
  const who = others === 1 ? '1 other connection is' : `${others} other connections are`;
  throw new Conflict(`${who} open to the private Postgres server. Close them first, or use --force.`);
}

/** Counts other connections. A server that is starting or stopping has none. */
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
      'Cannot count the connections of the private Postgres server. Use --force to stop it anyway.',
      { cause: error },
    );
  }
}

/** Sends SIGINT: no new connections, open transactions rolled back, data written to the disk (PostgreSQL docs, "Shutting Down"). */
function sendFastShutdown(pid: number): void {
  try {
    process.kill(pid, 'SIGINT');
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}
