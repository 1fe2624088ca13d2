/**
 * The reporters of a vitest run: its own, and where `NIGHTSHIFT_TEST_REPORT` names a file, one that writes the run's counts there as
 * JSON for the closing line of `.ci/run`.
 */
export function testReporters(): ('default' | ['json', { outputFile: string }])[] {
  const outputFile = process.env['NIGHTSHIFT_TEST_REPORT'] ?? '';
  return outputFile === '' ? ['default'] : ['default', ['json', { outputFile }]];
}
