import { describe, expect, it } from 'vitest';
import { closingLine, countSteps, listFailures } from '../../../support/ci/closing-line.ts';

const report = (
  counts: Partial<Record<'passed' | 'failed' | 'pending' | 'todo', number>>,
  files: unknown[] = [],
) => ({
  numPassedTests: counts.passed ?? 0,
  numFailedTests: counts.failed ?? 0,
  numPendingTests: counts.pending ?? 0,
  numTodoTests: counts.todo ?? 0,
  testResults: files,
});

const failedTest = {
  status: 'failed',
  fullName: 'the sum is right',
  failureMessages: [
    '\u001b[31mError: 1 is not 2\u001b[39m\nwaiting for the sum\n    at add (sum.ts:7:1)\n    at b.test.ts:3:5\n    at run (x.js:1:1)',
  ],
};

describe('the closing line', () => {
  it('adds up the tests of every step, and counts a command without a report as one check', () => {
    const counts = countSteps([
      { exitCode: 0, report: report({ passed: 12, pending: 2, todo: 1 }) },
      { exitCode: 1, report: report({ passed: 3, failed: 2 }) },
      { exitCode: 0, report: null },
      { exitCode: 2, report: null },
    ]);
    expect(closingLine(counts)).toBe('16 passed, 3 failed, 3 skipped');
  });

  it('counts a test file that could not be loaded as a failure', () => {
    const unloaded = { name: 'a.test.ts', status: 'failed', assertionResults: [] };
    const loaded = { name: 'b.test.ts', status: 'failed', assertionResults: [failedTest] };
    const counts = countSteps([
      { exitCode: 1, report: report({ passed: 5, failed: 1 }, [unloaded, loaded]) },
    ]);
    expect(counts).toEqual({ passed: 5, failed: 2, skipped: 0 });
  });

  it('counts a failed command without failed tests as a failure', () => {
    expect(countSteps([{ exitCode: 1, report: report({ passed: 5 }) }])).toEqual({
      passed: 5,
      failed: 1,
      skipped: 0,
    });
  });

  it('rejects an invalid report', () => {
    expect(() => countSteps([{ exitCode: 0, report: {} }])).toThrow();
  });
});

describe('the list of failures', () => {
  it('has the place, the name and the message of each failure in one line', () => {
    const passed = { status: 'passed', fullName: 'the difference is right' };
    const files = [
      { name: 'a.test.ts', status: 'failed', message: 'Cannot find module\nx', assertionResults: [] },
      { name: 'b.test.ts', status: 'failed', assertionResults: [passed, failedTest] },
      { name: 'c.test.ts', status: 'passed', assertionResults: [passed] },
    ];
    const steps = [
      { exitCode: 1, report: report({ passed: 2, failed: 1 }, files) },
      { exitCode: 1, report: null },
    ];
    expect(listFailures(steps)).toEqual([
      'a.test.ts: Cannot find module x',
      'b.test.ts:3 > the sum is right: Error: 1 is not 2 waiting for the sum',
    ]);
  });
});
