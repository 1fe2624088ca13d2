import { setTimeout as delay } from 'node:timers/promises';
import { Conflict, Misconfigured } from '../core/errors.ts';
import { privateServerStart } from '../core/work/retry-policies.ts';
import { connect } from './connect.ts';
import { openHome } from './system/data-directory.ts';
import { chooseFreePort } from './system/port.ts';
import { removeForeignPidFile } from './postmaster.ts';
import { prepareServer, type PreparedServer } from './prepare.ts';
import type { PrivateServer } from './private-server.ts';
import { boundLog, logPath, readLogSize, readLogTail } from './server-log.ts';
import { startServer, type StartedServer } from './start.ts';
import { readPassing, startFailure } from './start-errors.ts';
import { readState, replaceState, type ServerState } from './state.ts';
import { explainSystemError } from './system/system-error.ts';

/** Options of the private server. */
export interface PrivateServerOptions {
  /** Absolute path of the home folder, created if it is missing. Each home has one server. */
  readonly home: string;
  /** Called with a message before each step that can take long. Default: no call. */
  readonly onProgress?: (message: string) => void;
  /** Postgres settings that override the defaults. They apply from the next start. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Folders, as in PATH, to search for Postgres without the npm package. Default: the usual folders of the system. */
  readonly searchPath?: string;
}

/**
 * Starts the private server of a home unless it is running, and returns its addresses
 * (docs/architecture/decisions/0001-private-postgres.md and docs/architecture/data-model.md).
 *
 * The first process creates and starts the server, later ones connect to it. It runs until `stopPrivateServer`.
 *
 * @throws Misconfigured when this machine or the home does not allow it, with the remedy.
 * @throws DatabaseUnavailable when the server does not start, with the last lines of its log.
 */
export async function ensurePrivateServer(options: PrivateServerOptions): Promise<PrivateServer> {
  const home = await openHome(options.home);
  try {
    const known = await readState(home);
    const running = known === undefined ? undefined : await connect({ home, state: known });
    const server = running ?? (await bringUp(home, known, options));
    await boundLog(server.dataFolder);
    return server;
  } catch (error) {
    throw explainSystemError(error, `Cannot use the private Postgres server in ${home}`);
  }
}

async function bringUp(
  home: string,
  known: ServerState | undefined,
  options: PrivateServerOptions,
): Promise<PrivateServer> {
  const { onProgress = () => undefined, searchPath = '' } = options;
  const prepared = await prepareServer({ home, known, searchPath, onProgress });
  const deadline = Date.now() + privateServerStart.giveUpMs;
  let port: number | undefined = prepared.state.port;
  for (;;) {
    const attempt = await attemptStart({ home, prepared, port, settings: options.settings ?? {} });
    if (attempt.server !== undefined) return attempt.server;
    const passing = readPassing(attempt.log);
    if (passing === undefined || Date.now() > deadline) throw startFailure(attempt);
    if (passing === 'port_taken') port = undefined;
    else onProgress('Waiting for the processes of an earlier Postgres server to end');
    await delay(privateServerStart.delayMs);
  }
}

interface Attempt {
  readonly home: string;
  readonly prepared: PreparedServer;
  /** Port to start on, unless it is in use; undefined for a new one. */
  readonly port: number | undefined;
  readonly settings: Readonly<Record<string, string>>;
}

type AttemptResult =
  | { readonly server: PrivateServer }
  | {
      readonly server?: undefined;
      readonly log: string;
      readonly logPath: string;
      readonly dataFolder: string;
    };

/** Starts a server, unless another process was faster; Postgres itself allows only one per data folder. */
async function attemptStart({ home, prepared, port, settings }: Attempt): Promise<AttemptResult> {
  const { state, binaries, user } = prepared;
  const { dataFolder } = state;
  const running = await connect({ home, state });
  if (running !== undefined) return { server: running };
  await removeForeignPidFile(dataFolder);
  await boundLog(dataFolder);
  const logBytes = await readLogSize(dataFolder);
  const freePort = await chooseFreePort(port);
  await assertInUse(home, dataFolder);
  const started = await startServer({ dataFolder, binaries, user, port: freePort, settings });
  const server = await connect({ home, state }, started);
  assertStarted(started, dataFolder);
  if (server === undefined)
    return { log: await readLogTail(dataFolder, logBytes), logPath: logPath(dataFolder), dataFolder };
  if (!server.adopted) await keepAsStarted(home, { ...state, port: server.port });
  return { server };
}

function assertStarted(started: StartedServer, dataFolder: string): void {
  const cause = started.startError();
  if (cause === undefined) return;
  throw new Misconfigured(
    `Cannot run the program of the private Postgres server on ${dataFolder}. Reinstall the packages of Nightshift, or set DATABASE_URL.`,
    { cause },
  );
}

/** An upgrade or a restore may have put other data in its place since the state was read. @throws Conflict then */
async function assertInUse(home: string, dataFolder: string): Promise<void> {
  const kept = await readState(home);
  if (kept === undefined || kept.dataFolder === dataFolder) return;
  throw new Conflict(`The database in ${home} has moved to ${kept.dataFolder}. Run the command again.`);
}

/** Stores the state for the next start, if it has changed. */
async function keepAsStarted(home: string, state: ServerState): Promise<void> {
  const kept = await readState(home);
  if (JSON.stringify(kept) !== JSON.stringify(state)) await replaceState(home, state);
}
