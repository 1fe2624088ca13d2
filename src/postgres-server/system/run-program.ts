import { spawn } from 'node:child_process';
import type { ServerUser } from './server-user.ts';

/** Result of a program. `output` is its stdout and stderr, together. */
export interface ProgramResult {
  /** Exit status, or null when a signal ended the program or it could not be started. */
  readonly exitCode: number | null;
  readonly output: string;
  /** The system's word for why the program could not be started at all (`EACCES`, `ENOENT`, …). */
  readonly startError: string | undefined;
}

/**
 * The whole environment of Postgres and of its tools.
 *
 * Nothing is inherited: our environment holds API keys and `PG*` settings that must not reach a server other users of the
 * machine can look at. `TZ` saves initdb its search for the local time zone; `LC_ALL` keeps messages in one language.
 */
export const serverEnvironment: NodeJS.ProcessEnv = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

/** Runs a short program to its end, as `user` when that is another than ours. Never throws: the result says it all. */
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
