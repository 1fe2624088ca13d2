import { setTimeout as delay } from 'node:timers/promises';
import { isPassing } from './connect.ts';
import { withSuperuser } from './connection.ts';
import { readRunningPostmaster } from './postmaster.ts';
import { logPath, readLogTail } from './server-log.ts';
import type { StartedServer } from './start.ts';
import { startFailure } from './start-errors.ts';
import { errorCode } from './system/system-error.ts';

const pollMs = 50;

/** Stops a server with a checkpoint, so that the next start needs no recovery. */
export async function stopStarted(dataFolder: string, server: StartedServer): Promise<void> {
  if (server.pid === undefined) return;
  try {
    if (!server.hasEnded()) process.kill(server.pid, 'SIGINT');
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
  while (!server.hasEnded() || (await readRunningPostmaster(dataFolder)) !== undefined) await delay(pollMs);
}

/** Address of a server that was started, and its data folder. */
interface Started {
  readonly dataFolder: string;
  readonly port: number;
  readonly password: string;
  /** Size of its log before the start. */
  readonly logBytes: number;
  readonly signal: AbortSignal;
}

/** Waits until a server accepts connections. @throws Misconfigured | DatabaseUnavailable with its log when it ends instead */
export async function untilAccepting(
  server: StartedServer,
  { dataFolder, port, password, logBytes, signal }: Started,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    if (server.hasEnded())
      throw startFailure({
        log: await readLogTail(dataFolder, logBytes),
        logPath: logPath(dataFolder),
        dataFolder,
      });
    try {
      return await withSuperuser({ port, password }, async (client) => void (await client.query('SELECT 1')));
    } catch (error) {
      if (!isPassing(error)) throw error;
    }
    await delay(pollMs, undefined, { signal });
  }
}
