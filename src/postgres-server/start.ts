import { spawn } from 'node:child_process';
import { lchown, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from './binaries/binaries.ts';
import { serverEnvironment } from './system/run-program.ts';
import { underMemoryLimit } from './memory-limit.ts';
import { openLog } from './server-log.ts';
import type { ServerUser } from './system/server-user.ts';
import { serverArguments } from './settings.ts';

/** Plan of a start. */
export interface StartPlan {
  readonly dataFolder: string;
  readonly binaries: Binaries;
  readonly user: ServerUser;
  readonly port: number;
  readonly settings: Readonly<Record<string, string>>;
}

/** Server that this process started. */
export interface StartedServer {
  readonly pid: number | undefined;
  /** True when it has ended, or could not be started. */
  readonly hasEnded: () => boolean;
  /** Returns the error when the program could not be started. */
  readonly startError: () => Error | undefined;
}

/**
 * Starts a server in a separate session, so that neither Ctrl-C in the terminal nor the end of this process ends it.
 *
 * It writes to its log. The caller checks that it accepts connections.
 */
export async function startServer(plan: StartPlan): Promise<StartedServer> {
  if (plan.user.spawnAs.uid !== undefined) await giveTo(plan.user, plan.dataFolder);
  const log = await openLog(plan.dataFolder, plan.user);
  try {
    return watch(plan, log.fd);
  } finally {
    await log.close();
  }
}

function watch(plan: StartPlan, logFd: number): StartedServer {
  const { program, args } = underMemoryLimit(
    join(plan.binaries.folder, 'postgres'),
    serverArguments(plan.dataFolder, plan.port, plan.settings),
  );
  const child = spawn(program, args, {
    cwd: '/',
    env: serverEnvironment,
    detached: true,
    stdio: ['ignore', logFd, logFd],
    ...plan.user.spawnAs,
  });
  let ended = false;
  let failure: Error | undefined;
  child.once('exit', () => (ended = true));
  child.once('error', (error) => {
    ended = true;
    failure = error;
  });
  child.unref();
  return { pid: child.pid, hasEnded: () => ended, startError: () => failure };
}

/** Changes the owner of a data folder to the user of the server, for example after a chown of the whole checkout to root. */
async function giveTo(user: ServerUser, folder: string): Promise<void> {
  if ((await stat(folder)).uid === user.uid) return;
  await lchown(folder, user.uid, user.gid);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await lchown(join(entry.parentPath, entry.name), user.uid, user.gid);
  }
}
