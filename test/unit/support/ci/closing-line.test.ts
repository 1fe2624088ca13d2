import { describe, expect, it } from 'vitest';
import { closingLine, countSteps } from '../../../support/ci/closing-line.ts';

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

describe('the closing line', () => {
  it('adds up the tests of every step, and takes a command without a report for one check', () => {
    const counts = countSteps([
      { exitCode: 0, report: report({ passed: 12, pending: 2, todo: 1 }) },
      { exitCode: 1, report: report({ passed: 3, failed: 2 }) },
      { exitCode: 0, report: null },
      { exitCode: 2, report: null },
    ]);
    expect(closingLine(counts)).toBe('16 passed, 3 failed, 3 skipped');
  });

  it('counts a test file that could not be loaded as a failure', () => {
    const unloaded = { status: 'failed', assertionResults: [] };
    const loaded = { status: 'failed', assertionResults: [{}] };
    const counts = countSteps([
      { exitCode: 1, report: report({ passed: 5, failed: 1 }, [unloaded, loaded]) },
    ]);
    expect(counts).toEqual({ passed: 5, failed: 2, skipped: 0 });
  });

  it('counts a command that failed although none of its tests did as a failure', () => {
    expect(countSteps([{ exitCode: 1, report: report({ passed: 5 }) }])).toEqual({
      passed: 5,
      failed: 1,
      skipped: 0,
    });
  });

  it('refuses a report that it cannot read, instead of counting nothing', () => {
    expect(() => countSteps([{ exitCode: 0, report: {} }])).toThrow();
  });
});
