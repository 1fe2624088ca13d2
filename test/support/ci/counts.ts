import { writeFileSync } from 'node:fs';

/** Number of passed, failed and skipped checks of one run. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/**
 * Writes the counts of a run without vitest in the form of vitest's JSON report to the file that `NIGHTSHIFT_TEST_REPORT` names,
 * if any; `failures` are the names of failed checks.
 */
export function reportCounts({ passed, failed, skipped }: Counts, failures: readonly string[] = []): void {
  const file = process.env['NIGHTSHIFT_TEST_REPORT'] ?? '';
  if (file === '') return;
  const report = {
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: skipped,
    numTodoTests: 0,
    testResults:
      failures.length === 0
        ? []
        : [
            {
              name: process.env['npm_lifecycle_event'] ?? 'run',
              status: 'failed',
              assertionResults: failures.map((fullName) => ({ status: 'failed', fullName })),
            },
          ],
  };
  writeFileSync(file, JSON.stringify(report));
}
