import { spawn } from 'node:child_process';
import type { ServerUser } from './server-user.ts';

/** Result of a program. `output` combines its stdout and stderr. */
export interface ProgramResult {
  /** Exit status, or null when a signal ended the program or it could not be started. */
  readonly exitCode: number | null;
  readonly output: string;
  /** Error code of the system when the program could not be started (`EACCES`, `ENOENT`, …). */
  readonly startError: string | undefined;
}

/**
 * Complete environment of Postgres and its tools.
 *
 * Nothing is inherited: the environment of this process contains API keys and `PG*` settings, which other users of the machine could read
 * from the server. `TZ` saves initdb the search for the local time zone; `LC_ALL` fixes the language of messages.
 */
export const serverEnvironment: NodeJS.ProcessEnv = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

/** Runs a short program to its end, as `user` if that is another user. Never throws: errors are part of the result. */
export function runProgram(file: string, args: readonly string[], user: ServerUser): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd: '/',
      env: serverEnvironment,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...user.spawnAs,
    });
    const chunks: Buffer[] = [];
    const keep = (chunk: Buffer): void => void chunks.push(chunk);
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.once('error', (error: NodeJS.ErrnoException) =>
      resolve({ exitCode: null, output: error.message, startError: error.code ?? 'unknown' }),
    );
    child.once('close', (exitCode) =>
      resolve({ exitCode, output: Buffer.concat(chunks).toString(), startError: undefined }),
    );
  });
}
