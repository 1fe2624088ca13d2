import { constants } from 'node:fs';
import { copyFile, open, readFile, rm, stat, truncate, type FileHandle } from 'node:fs/promises';
import type { ServerUser } from './system/server-user.ts';
import { errorCode } from './system/system-error.ts';

/** Size above which the log is set aside. */
const logBytesMax = 8 * 1024 * 1024;

/** Lines of a log that explain a failed start. */
const tailLinesMax = 12;

/**
 * The log of the server on a data folder: a file beside it, not in it.
 *
 * As root it is we who open it; in a folder of the unprivileged server's own, a link planted there would lead us elsewhere.
 */
export function logPath(dataFolder: string): string {
  return `${dataFolder}.log`;
}

/**
 * Opens the log for a server of `user` to append to. The caller closes the handle once the server has its own copy of it.
 *
 * A log that root opens belongs to that user: it may be an ordinary one, who starts the server the next time.
 */
export async function openLog(dataFolder: string, user: ServerUser): Promise<FileHandle> {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants;
  const log = await open(logPath(dataFolder), O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600);
  if (user.spawnAs.uid !== undefined) await log.chown(user.uid, user.gid);
  return log;
}

/** Sets a log of more than 8 MiB aside as `….log.old`; the server, if one runs, goes on in the emptied file. */
export async function boundLog(dataFolder: string): Promise<void> {
  const path = logPath(dataFolder);
  if ((await readLogSize(dataFolder)) <= logBytesMax) return;
  // Removed first and made anew: a link planted under that name is not written through.
  await rm(`${path}.old`, { force: true });
  await copyFile(path, `${path}.old`, constants.COPYFILE_EXCL);
  await truncate(path);
}

/** The size of the log in bytes, 0 when there is none. */
export async function readLogSize(dataFolder: string): Promise<number> {
  try {
    return (await stat(logPath(dataFolder))).size;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0;
    throw error;
  }
}

/** The last lines that were logged after the log had `fromBytes`: what a start had to say. */
export async function readLogTail(dataFolder: string, fromBytes: number): Promise<string> {
  const text = (await readFile(logPath(dataFolder))).subarray(fromBytes).toString();
  return text.trimEnd().split('\n').slice(-tailLinesMax).join('\n');
}
