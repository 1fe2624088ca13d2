import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import type { Counts } from './counts.ts';

/** A step of `.ci/run`: the exit code of its command, and its report, if any. */
export interface Step {
  readonly exitCode: number;
  /** A JSON report of vitest; null for a command without counts, which is one check. */
  readonly report: unknown;
}

const report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          fullName: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

/**
 * Counts the results of the steps. A file that could not be loaded is one failure, and so is a command that failed without a
 * failed test: no failure is lost.
 */
export function countSteps(steps: readonly Step[]): Counts {
  return steps.map(countStep).reduce(add, { passed: 0, failed: 0, skipped: 0 });
}

/** Failed tests and files, each with its reason and the line of the test, for readers who see only the end of the output. */
export function listFailures(steps: readonly Step[]): readonly string[] {
  return steps.flatMap(({ report: written }) => {
    if (written === null) return [];
    return report.parse(written).testResults.flatMap(({ name, status, message = '', assertionResults }) => {
      if (assertionResults.length === 0) return status === 'failed' ? [`${name}: ${firstLine(message)}`] : [];
      const failed = assertionResults.filter((one) => one.status === 'failed');
      return failed.map(
        (one) => `${name} > ${one.fullName}: ${reasonOf(one.failureMessages?.[0] ?? '', name)}`,
      );
    });
  });
}

function firstLine(text: string): string {
  return stripVTControlCharacters(text).split('\n', 1)[0] ?? '';
}

/** First lines of an error, and its place in the file of the test. */
function reasonOf(error: string, file: string): string {
  const lines = stripVTControlCharacters(error).split('\n');
  const first = lines.findIndex(isFrame);
  const message = first === -1 ? lines : lines.slice(0, first);
  const place = lines.find((line) => isFrame(line) && line.includes(file));
  return [...message.slice(0, reasonLinesMax), ...(place === undefined ? [] : [place])].join('\n');
}

function isFrame(line: string): boolean {
  return /^ +at /.test(line);
}

/** What an error waited for comes after its first line, such as the locator of a page. */
const reasonLinesMax = 6;

/** The last line of a run. */
export function closingLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

function countStep({ exitCode, report: written }: Step): Counts {
  if (written === null) return exitCode === 0 ? onePassed : oneFailed;
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } =
    report.parse(written);
  const unloaded = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  const failed = numFailedTests + unloaded.length;
  const unreported = exitCode !== 0 && failed === 0 ? 1 : 0;
  return { passed: numPassedTests, failed: failed + unreported, skipped: numPendingTests + numTodoTests };
}

const onePassed: Counts = { passed: 1, failed: 0, skipped: 0 };
const oneFailed: Counts = { passed: 0, failed: 1, skipped: 0 };

function add(sum: Counts, { passed, failed, skipped }: Counts): Counts {
  return { passed: sum.passed + passed, failed: sum.failed + failed, skipped: sum.skipped + skipped };
}
