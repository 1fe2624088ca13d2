import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** Time that the processes have to end by themselves: servers remove their shared memory. */
const endMsMax = 10_000;

/**
 * Ends every process with one of these words in its environment, its command or its folder: SIGTERM, and SIGKILL after ten seconds. Such
 * are also servers that left the group of their parent. Finds none on systems without `/proc`.
 */
export async function endProcesses(words: readonly string[]): Promise<void> {
  signalEach(findProcesses(words), 'SIGTERM');
  const deadline = performance.now() + endMsMax;
  while (findProcesses(words).length > 0 && performance.now() < deadline) await wait(100);
  signalEach(findProcesses(words), 'SIGKILL');
}

/** Ids of these processes, without this one. */
export function findProcesses(words: readonly string[]): readonly number[] {
  if (words.length === 0) return [];
  return listIds().filter((id) => id !== process.pid && words.some((word) => describe(id).includes(word)));
}

function listIds(): readonly number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** Empty if the process has ended or is another user's. */
function describe(id: number): string {
  const folder = `/proc/${id}`;
  try {
    if (/^\d+ \(.*\) Z/.test(readFileSync(`${folder}/stat`, 'utf8'))) return '';
    return [
      readFileSync(`${folder}/environ`, 'utf8'),
      readFileSync(`${folder}/cmdline`, 'utf8'),
      readlinkSync(`${folder}/cwd`),
    ].join('\n');
  } catch {
    return '';
  }
}

function signalEach(ids: readonly number[], signal: 'SIGTERM' | 'SIGKILL'): void {
  for (const id of ids) {
    try {
      process.kill(id, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
