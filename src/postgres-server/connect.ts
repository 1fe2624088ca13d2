import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseUnavailable, Misconfigured } from '../core/errors.ts';
import { readRunningPostmaster } from './postmaster.ts';
import { createPrivateServer, type PrivateServer, type ServerPlace } from './private-server.ts';
import { logPath } from './server-log.ts';
import { provision } from './provision.ts';
import type { StartedServer } from './start.ts';
import { statePath } from './state.ts';
import { errorCode } from './system/system-error.ts';

/** Replaying what a killed server had not yet written out takes at most minutes: `max_wal_size` bounds it. */
const readyMsMax = 300_000;

const pollMs = 10;

/**
 * Enters the server that runs on the data folder, as soon as it takes connections, and sees to its roles and database.
 *
 * @param started a server that we started and wait for; without it, only one that runs already is entered.
 * @returns undefined when no server runs, or the one that was starting or stopping has ended.
 * @throws Misconfigured when it does not take our password, DatabaseUnavailable when it is not ready within 5 minutes.
 */
export async function connect(
  place: ServerPlace,
  started?: StartedServer,
): Promise<PrivateServer | undefined> {
  const { dataFolder } = place.state;
  const deadline = Date.now() + readyMsMax;
  while (Date.now() < deadline) {
    // Asked in this order: a server that ended after it was asked for has nothing more to say.
    const ended = started?.hasEnded() ?? true;
    const postmaster = await readRunningPostmaster(dataFolder);
    if (postmaster === undefined && ended) return undefined;
    if (postmaster?.ready === true && postmaster.port !== undefined) {
      const server = createPrivateServer(
        place,
        { ...postmaster, port: postmaster.port },
        postmaster.pid !== started?.pid,
      );
      if (await setUp(place, server)) return server;
    }
    await delay(pollMs);
  }
  throw new DatabaseUnavailable(
    `The private Postgres server on ${dataFolder} has been starting or stopping for ${readyMsMax / 1000} s. Its log says why: ${logPath(dataFolder)}`,
  );
}

/** False when the server is on its way down, or not quite up: then to be asked again, without a word. */
async function setUp({ home, state }: ServerPlace, { port, dataFolder }: PrivateServer): Promise<boolean> {
  const { passwords } = state;
  try {
    await provision({ port, password: passwords.postgres }, passwords);
    return true;
  } catch (error) {
    if (isPassing(error)) return false;
    if (errorCode(error) === '28P01') {
      throw new Misconfigured(
        `The server on ${dataFolder} does not take the password in ${statePath(home)}. Delete that file: the next start rebuilds it from the data folder.`,
        { cause: error },
      );
    }
    throw new DatabaseUnavailable(
      `The private Postgres server on 127.0.0.1:${port} runs but did not let us set it up. Its log may say why: ${logPath(dataFolder)}`,
      { cause: error },
    );
  }
}

/** Refused, cut off, or told that the server starts or stops (SQLSTATE 57P01 to 57P03). */
export function isPassing(error: unknown): boolean {
  const code = errorCode(error) ?? '';
  if (['ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03'].includes(code)) return true;
  return error instanceof Error && /Connection terminated/.test(error.message);
}
