import { writeFileSync } from 'node:fs';

/** How many checks of one run passed, failed, and were not run. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Writes the counts of a run that is not vitest's in the form of its JSON report, where `NIGHTSHIFT_TEST_REPORT` names a file. */
export function reportCounts({ passed, failed, skipped }: Counts): void {
  const file = process.env['NIGHTSHIFT_TEST_REPORT'] ?? '';
  if (file === '') return;
  const report = {
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: skipped,
    numTodoTests: 0,
    testResults: [],
  };
  writeFileSync(file, JSON.stringify(report));
}
