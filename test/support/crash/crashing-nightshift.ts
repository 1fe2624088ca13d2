import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { CrashPoint } from '../../../src/core/crash-point.ts';
import { ownEnvironment, type Environment } from '../nightshift-process.ts';

const main = join(import.meta.dirname, '../../../src/cli/main.ts');
const dieAt = join(import.meta.dirname, 'die-at.ts');

/**
 * Runs `nightshift ARGS` from its sources, where the crash points still are, until it dies at one of them. Answers the signal that
 * ended it, and what it said; null when it never came to the point.
 */
export async function crashNightshift(
  args: readonly string[],
  { environment, folder, point }: { environment: Environment; folder: string; point: CrashPoint },
): Promise<{ readonly signal: NodeJS.Signals | null; readonly stderr: string }> {
  const child = spawn(process.execPath, ['--import', tsx, '--import', dieAt, main, ...args], {
    cwd: folder,
    env: { ...ownEnvironment(), ...environment, NIGHTSHIFT_TEST_CRASH_POINT: point },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  await once(child, 'close');
  return { signal: child.signalCode, stderr };
}

const tsx = fileURLToPath(import.meta.resolve('tsx'));
