import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { errorCode } from './system-error.ts';

/**
 * The command line of a process, or undefined when no such process runs.
 *
 * A process that has ended but was not collected by its parent counts as gone: in a container without an init that is how
 * a killed server stays behind. Where /proc is missing (macOS) `ps` is asked, and arguments holding spaces come apart.
 */
export async function readProcessArguments(pid: number): Promise<readonly string[] | undefined> {
  const proc = await readProcFile(`/proc/${pid}/cmdline`);
  if (proc !== undefined && proc !== '') return proc.replace(/\0$/, '').split('\0');
  if (proc === '' || process.platform === 'linux') return undefined;
  return askPs(pid);
}

async function readProcFile(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

function askPs(pid: number): Promise<readonly string[] | undefined> {
  return new Promise((resolve) => {
    // `ps` exits with 1 when there is no such process: an answer, not trouble.
    execFile('ps', ['-ww', '-o', 'command=', '-p', String(pid)], (_error, stdout) => {
      const line = stdout.trim();
      resolve(line === '' ? undefined : line.split(/\s+/));
    });
  });
}
