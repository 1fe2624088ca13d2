import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { countSteps, listFailures } from '../support/ci/closing-line.ts';
import type { ProofCase } from './cases.ts';
import { endProcesses } from './end-processes.ts';
import type { CaseResult } from './result.ts';

/** Places of a proof. */
export interface ProofPlaces {
  /** Root of the project. */
  readonly root: string;
  /** Configuration of vitest. */
  readonly config: string;
  /** Folder of the state, the logs and the reports. */
  readonly output: string;
}

/** Settings of one run of a case. */
export interface CaseRun {
  readonly size: 'full' | 'small';
  readonly seed: string;
  /** Ends the run with all its processes when it aborts. */
  readonly signal: AbortSignal;
  /** Called with the words by which `endProcesses` finds the processes of the run. */
  readonly onStarted: (words: readonly string[]) => void;
  /** Takes what the tests print. */
  readonly onOutput: (text: Buffer) => void;
}

/** Outcome of a run, without what is the same for all of them. */
export type CaseOutcome = Omit<CaseResult, 'date' | 'commit' | 'machine'>;

/** Maximum number of failures in a reason; the log of the case has all of them. */
const reasonsMax = 3;

/**
 * Runs the test files of a case with vitest, one after the other, and passes on what they print. The run is ended with all its processes
 * when its time is over.
 */
export async function runCase(
  { root, config, output }: ProofPlaces,
  { name, files, minutesMax }: ProofCase,
  { size, seed, signal, onStarted, onOutput }: CaseRun,
): Promise<CaseOutcome> {
  const startedMs = performance.now();
  const none = { passed: 0, failed: 0, skipped: 0 };
  if (files.length === 0)
    return { name, state: 'not run', reason: 'no test', ...none, figures: [], seed, seconds: 0 };
  mkdirSync(output, { recursive: true });
  const [figuresFile, reportFile] = [join(output, `${name}.figures`), join(output, `${name}.json`)];
  for (const file of [figuresFile, reportFile]) rmSync(file, { force: true });
  const timeLimit = AbortSignal.timeout(minutesMax * 60_000);
  const child = spawn(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--config',
      config,
      '--no-file-parallelism',
      ...files,
    ],
    {
      cwd: root,
      env: {
        ...process.env,
        NIGHTSHIFT_TEST_RUNS: size === 'full' ? 'full' : 'tenth',
        NIGHTSHIFT_TEST_SEED: seed,
        NIGHTSHIFT_TEST_REPORT: reportFile,
        NIGHTSHIFT_PROOF_FIGURES: figuresFile,
      },
      // A group of its own: Ctrl-C reaches the proof only, which then ends all of it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  // The scratch folder of the tests has the id of this process in its name (test/support/ci/scratch-folder.ts).
  const words = [figuresFile, `nightshift-scratch-${child.pid}-`];
  onStarted(words);
  const log = createWriteStream(join(output, `${name}.log`));
  for (const stream of [child.stdout, child.stderr]) {
    stream.pipe(log, { end: false });
    stream.on('data', onOutput);
  }
  const ended = once(child, 'exit');
  await Promise.race([ended, untilAborted(AbortSignal.any([signal, timeLimit]))]);
  const isOver = child.exitCode === null && child.signalCode === null;
  // Also after an orderly end: nothing of it may slow down the next case.
  await endProcesses(words);
  if (isOver) child.kill('SIGKILL');
  await ended;
  log.end();
  signal.throwIfAborted();
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  const figures = readFigures(figuresFile);
  if (isOver) {
    const reason = `ended after ${minutesMax} minutes`;
    return { name, state: 'over time', reason, ...none, figures, seed, seconds };
  }
  return { name, ...evaluate(child.exitCode ?? 1, reportFile), figures, seed, seconds };
}

function evaluate(exitCode: number, reportFile: string) {
  const report = existsSync(reportFile) ? (JSON.parse(readFileSync(reportFile, 'utf8')) as unknown) : null;
  const step = { exitCode, report };
  const none = { passed: 0, failed: 0, skipped: 0 };
  const counts = report === null ? none : countSteps([step]);
  if (report === null || counts.failed > 0) {
    const failures = listFailures([step]).slice(0, reasonsMax).join(' – ');
    const reason = failures === '' ? `vitest ended with ${exitCode}` : failures;
    return { state: 'failed', reason, ...counts } as const;
  }
  if (counts.passed === 0) return { state: 'not run', reason: 'its tests were skipped', ...counts } as const;
  return { state: 'passed', reason: '', ...counts } as const;
}

/** Lines of `recordFigures` (test/support/faults/proof-figures.ts). */
function readFigures(file: string): CaseResult['figures'] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as CaseResult['figures'][number]);
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
