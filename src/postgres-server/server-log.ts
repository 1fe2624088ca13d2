import { constants } from 'node:fs';
import { copyFile, open, readFile, rm, stat, truncate, type FileHandle } from 'node:fs/promises';
import type { ServerUser } from './system/server-user.ts';
import { errorCode } from './system/system-error.ts';

/** Size above which the log is rotated. */
const logBytesMax = 8 * 1024 * 1024;

/** Maximum number of log lines in the error of a failed start. */
const tailLinesMax = 12;

/**
 * Returns the path of the log: beside the data folder, not in it.
 *
 * Root opens the log itself; in a folder of the unprivileged server, a planted link would redirect it.
 */
export function logPath(dataFolder: string): string {
  return `${dataFolder}.log`;
}

/**
 * Opens the log for a server of `user`, to append. The caller closes the handle when the server has its own copy.
 *
 * A log that root opens belongs to that user, who may start the server the next time.
 */
export async function openLog(dataFolder: string, user: ServerUser): Promise<FileHandle> {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants;
  const log = await open(logPath(dataFolder), O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600);
  if (user.spawnAs.uid !== undefined) await log.chown(user.uid, user.gid);
  return log;
}

/** Rotates a log of more than 8 MiB to `….log.old`. A running server continues in the truncated file. */
export async function boundLog(dataFolder: string): Promise<void> {
  const path = logPath(dataFolder);
  if ((await readLogSize(dataFolder)) <= logBytesMax) return;
  // Removed first and created again, so that a planted link is not followed.
  await rm(`${path}.old`, { force: true });
  await copyFile(path, `${path}.old`, constants.COPYFILE_EXCL);
  await truncate(path);
}

/** Reads the size of the log in bytes; 0 when there is none. */
export async function readLogSize(dataFolder: string): Promise<number> {
  try {
    return (await stat(logPath(dataFolder))).size;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0;
    throw error;
  }
}

/** Reads the last lines of the log after position `fromBytes`: the output of a start. */
export async function readLogTail(dataFolder: string, fromBytes: number): Promise<string> {
  const text = (await readFile(logPath(dataFolder))).subarray(fromBytes).toString();
  return text.trimEnd().split('\n').slice(-tailLinesMax).join('\n');
}
