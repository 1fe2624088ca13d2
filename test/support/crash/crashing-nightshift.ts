import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { Failpoint } from '../../../src/core/failpoint.ts';
import { packageRoot } from '../../../src/package-root.ts';
import { ownEnvironment, type Environment } from '../cli/nightshift-process.ts';

/** A build of the product that still contains the failpoints. */
interface CrashingNightshift {
  /** Runs `nightshift ARGS` until a failpoint kills it. Returns the signal and its output; null if it did not reach the failpoint. */
  readonly run: (
    args: readonly string[],
    options: { environment: Environment; folder: string; point: Failpoint },
  ) => Promise<{ readonly signal: NodeJS.Signals | null; readonly stderr: string }>;
  /** Removes the build. */
  readonly close: () => void;
}

const vite = join(dirname(fileURLToPath(import.meta.resolve('vite/package.json'))), 'bin', 'vite.js');
const dieAt = join(import.meta.dirname, 'die-at.js');

/** Failpoints of loading, which a scan and a file of an inbox pass as well. */
export const whileLoading: readonly Failpoint[] = ['load:batch-opened', 'load:rows-stored', 'load:finished'];

/** Builds it for the tests of a file, and removes it after them. */
export function useCrashingNightshift(): Pick<CrashingNightshift, 'run'> {
  let crashing: CrashingNightshift | undefined;
  beforeAll(() => {
    crashing = buildCrashingNightshift();
  });
  afterAll(() => crashing?.close());
  return {
    run: (...command) => {
      if (crashing === undefined) throw new Error('The build is there while tests run only.');
      return crashing.run(...command);
    },
  };
}

/** Builds it in a separate folder. */
function buildCrashingNightshift(): CrashingNightshift {
  const root = mkdtempSync(join(tmpdir(), 'nightshift-crashing-'));
  copyFileSync(join(packageRoot, 'package.json'), join(root, 'package.json'));
  for (const shipped of ['node_modules', 'examples', 'db'])
    symlinkSync(join(packageRoot, shipped), join(root, shipped));
  const config = join(packageRoot, 'src', 'vite.config.ts');
  const args = [
    'build',
    '--config',
    config,
    '--mode',
    'failpoints',
    '--outDir',
    join(root, 'dist', 'server'),
  ];
  const { status } = spawnSync(process.execPath, [vite, ...args, '--logLevel', 'warn'], {
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error('The product does not build; what Vite says stands above.');
  const main = join(root, 'dist', 'server', 'main.js');

  return {
    run: async (command, { environment, folder, point }) => {
      const child = spawn(process.execPath, ['--import', dieAt, main, ...command], {
        cwd: folder,
        env: { ...ownEnvironment(), ...environment, NIGHTSHIFT_TEST_FAILPOINT: point },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      let stderr = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      await once(child, 'close');
      return { signal: child.signalCode, stderr };
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}
