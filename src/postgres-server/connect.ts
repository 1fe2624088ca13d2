import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseUnavailable, Misconfigured } from '../core/errors.ts';
import { isOfUpgrade, readRunningPostmaster } from './postmaster.ts';
import { createPrivateServer, type PrivateServer, type ServerPlace } from './private-server.ts';
import { logPath } from './server-log.ts';
import { provision } from './provision.ts';
import type { StartedServer } from './start.ts';
import { statePath } from './state.ts';
import { errorCode } from './system/system-error.ts';
import { endAbandonedUpgrade } from './upgrade-guard.ts';

/** Time limit of a start. Crash recovery takes minutes at most, because `max_wal_size` bounds it. */
const readyMsMax = 300_000;

const pollMs = 10;

/**
 * Connects to the server of the data folder as soon as it accepts connections, and sets up its roles and database.
 *
 * @param started server that this process started and waits for; without it, only a running server is used.
 * @returns undefined when no server is running, or one that was starting or stopping has ended.
 * @throws Misconfigured when it rejects the password, DatabaseUnavailable when it is not ready within 5 minutes, Conflict while an upgrade
 * copies it.
 */
export async function connect(
  place: ServerPlace,
  started?: StartedServer,
): Promise<PrivateServer | undefined> {
  const { dataFolder } = place.state;
  const deadline = Date.now() + readyMsMax;
  while (Date.now() < deadline) {
    // In this order: if the server ends after the first check, the second sees its final state.
    const ended = started?.hasEnded() ?? true;
    const postmaster = await readRunningPostmaster(dataFolder);
    if (postmaster === undefined && ended) return undefined;
    if (postmaster?.ready === true && postmaster.port !== undefined) {
      const ready = { ...postmaster, port: postmaster.port };
      if (await isOfUpgrade(ready)) await ignorePassing(() => endAbandonedUpgrade(ready, place.state));
      else {
        const server = createPrivateServer(place, ready, postmaster.pid !== started?.pid);
        if (await setUp(place, server)) return server;
      }
    }
    await delay(pollMs);
  }
  throw new DatabaseUnavailable(
    `The private Postgres server on ${dataFolder} has been starting or stopping for ${readyMsMax / 1000} s. Check its log: ${logPath(dataFolder)}`,
  );
}

/** Sets up roles and database. False while the server is starting or stopping: retry then. */
async function setUp({ home, state }: ServerPlace, { port, dataFolder }: PrivateServer): Promise<boolean> {
  const { passwords } = state;
  try {
    await provision({ port, password: passwords.postgres }, passwords);
    return true;
  } catch (error) {
    if (isPassing(error)) return false;
    if (errorCode(error) === '28P01') {
      throw new Misconfigured(
        `The server on ${dataFolder} rejects the password in ${statePath(home)}. Delete that file: the next start rebuilds it from the data folder.`,
        { cause: error },
      );
    }
    throw new DatabaseUnavailable(
      `The private Postgres server on 127.0.0.1:${port} is running but cannot be set up. Check its log: ${logPath(dataFolder)}`,
      { cause: error },
    );
  }
}

/** Runs `work`, whose connection may end with the server. */
async function ignorePassing(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isPassing(error)) throw error;
  }
}

/** True when the connection was rejected or lost, or the server is starting or stopping (SQLSTATE 57P01 to 57P03). */
export function isPassing(error: unknown): boolean {
  const code = errorCode(error) ?? '';
  if (['ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03'].includes(code)) return true;
  return error instanceof Error && /Connection terminated/.test(error.message);
}
