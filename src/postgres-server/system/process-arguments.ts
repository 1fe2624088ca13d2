import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { errorCode } from './system-error.ts';

/**
 * Reads the command line of a process; undefined when it is not running.
 *
 * A zombie process counts as not running: in a container without an init, a killed server stays one. Without /proc (macOS) it
 * uses `ps`, which splits arguments at spaces.
 */
export async function readProcessArguments(pid: number): Promise<readonly string[] | undefined> {
  const proc = await readProcFile(`/proc/${pid}/cmdline`);
  if (proc !== undefined && proc !== '') return proc.replace(/\0$/, '').split('\0');
  if (proc === '' || process.platform === 'linux') return undefined;
  return runPs(pid);
}

async function readProcFile(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

function runPs(pid: number): Promise<readonly string[] | undefined> {
  return new Promise((resolve) => {
    // `ps` exits with 1 when there is no such process, which is not an error here.
    execFile('ps', ['-ww', '-o', 'command=', '-p', String(pid)], (_error, stdout) => {
      const line = stdout.trim();
      resolve(line === '' ? undefined : line.split(/\s+/));
    });
  });
}
