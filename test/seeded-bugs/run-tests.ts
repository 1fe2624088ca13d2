import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Lane } from './lane.ts';

/** Result of a run of test files. */
export interface TestRun {
  /** Number of tests with a result; 0 if nothing could start. */
  readonly ran: number;
  /** Names of the failed tests, each with the first line of its reason. */
  readonly failed: readonly { readonly name: string; readonly reason: string }[];
  /** Reason why there is no verdict: a file that could not be loaded, servers that did not start, a timeout. Otherwise null. */
  readonly failure: string | null;
  readonly seconds: number;
}

interface RunReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Bound on hanging: a run takes minutes on a slow machine. */
const runMsMax = 1_800_000;

/** Test files to run, relative to the folder `test`. */
export interface TestChoice {
  readonly tests: readonly string[];
  /** Filter, as for `vitest -t`. Default: all tests. */
  readonly only?: string;
  /** Stop at the first failed test. Default: false. */
  readonly firstOnly?: boolean;
}

/** Runs test files with vitest, with the configuration and the servers of a lane. */
export async function runTests(
  { root, environment }: Lane,
  { tests, only, firstOnly }: TestChoice,
): Promise<TestRun> {
  const startedMs = performance.now();
  const reportFile = join(root, 'seeded-bug-report.json');
  rmSync(reportFile, { force: true });
  const args = ['run', '--config', 'test/vitest.config.ts', '--reporter=json', `--outputFile=${reportFile}`];
  const filter = [...(only === undefined ? [] : ['-t', only]), ...(firstOnly === true ? ['--bail=1'] : [])];
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const child = spawn(process.execPath, [vitest, ...args, ...filter, ...tests], {
    cwd: root,
    env: { ...process.env, ...environment, NIGHTSHIFT_TEST_REPORT: '' },
    timeout: runMsMax,
  });
  const reported: Buffer[] = [];
  child.stdout.on('data', (bytes: Buffer) => reported.push(bytes));
  child.stderr.on('data', (bytes: Buffer) => reported.push(bytes));
  await once(child, 'close');
  const seconds = (performance.now() - startedMs) / 1000;
  if (existsSync(reportFile)) return { ...evaluate(parseReport(readFileSync(reportFile, 'utf8'))), seconds };
  const failure = Buffer.concat(reported).toString().trim().split('\n').slice(-20).join('\n');
  return { ran: 0, failed: [], failure, seconds };
}

function parseReport(text: string): RunReport {
  return JSON.parse(text) as RunReport;
}

/** A file without an executed test, or with a test that is invalid code, proves nothing about a guard. */
function evaluate({ testResults }: RunReport): Omit<TestRun, 'seconds'> {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => ({
      name: fullName,
      reason: firstLine(failureMessages[0] ?? ''),
    }));
  const ran = tests.filter(({ status }) => status === 'passed').length + failed.length;
  const unloaded = testResults.find(({ assertionResults }) => assertionResults.length === 0);
  const invalid = failed.find(({ reason }) => notCode.test(reason));
  const failure = unloaded?.message ?? invalid?.reason ?? (ran === 0 ? 'No test ran.' : null);
  return { ran, failed, failure };
}

/** A bug has to be valid code; otherwise its failure proves nothing. */
const notCode = /^(?:SyntaxError|ReferenceError)|syntax error at or near/;

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}
