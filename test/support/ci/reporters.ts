/**
 * Reporters of a vitest run: the default one, and if `NIGHTSHIFT_TEST_REPORT` names a file, one that writes the counts to it as
 * JSON, for the closing line of `.ci/run`.
 */
export function testReporters(): ('default' | ['json', { outputFile: string }])[] {
  const outputFile = process.env['NIGHTSHIFT_TEST_REPORT'] ?? '';
  return outputFile === '' ? ['default'] : ['default', ['json', { outputFile }]];
}
