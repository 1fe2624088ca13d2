import { relative } from 'node:path';
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

/**
 * Failed tests and files in one line each: the place in the test, its name, and the reason. Who reads the end of a log sees as
 * many of them as there are lines.
 */
export function listFailures(steps: readonly Step[]): readonly string[] {
  return steps.flatMap(({ report: written }) => {
    if (written === null) return [];
    return report.parse(written).testResults.flatMap(({ name, status, message = '', assertionResults }) => {
      if (assertionResults.length === 0)
        return status === 'failed' ? [`${relative('', name)}: ${reasonOf(message)}`] : [];
      const failed = assertionResults.filter((one) => one.status === 'failed');
      return failed.map(({ fullName, failureMessages }) => {
        const error = stripVTControlCharacters(failureMessages?.[0] ?? '');
        return `${placeIn(name, error)} > ${fullName}: ${reasonOf(error)}`;
      });
    });
  });
}

/** The file of a test with the line of the first frame of an error in it, if any. */
function placeIn(file: string, error: string): string {
  const frame = error.split('\n').find((line) => isFrame(line) && line.includes(`${file}:`));
  const line = frame?.split(`${file}:`)[1]?.match(/^\d+/)?.[0];
  return line === undefined ? relative('', file) : `${relative('', file)}:${line}`;
}

/** The message of an error, in one line of at most `reasonLengthMax` characters. */
function reasonOf(error: string): string {
  const lines = stripVTControlCharacters(error).split('\n');
  const firstFrame = lines.findIndex(isFrame);
  const message = lines.slice(0, firstFrame === -1 ? lines.length : firstFrame);
  return message.join(' ').replaceAll(/\s+/g, ' ').trim().slice(0, reasonLengthMax);
}

function isFrame(line: string): boolean {
  return /^ +at /.test(line);
}

const reasonLengthMax = 400;

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
