import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../support/db/database.ts';
import { openTestCli, type TestCli } from '../../support/cli/test-cli.ts';
import { adOf, foundAds, openTestScans, scanDay } from '../../support/scans/evaluation-fixture.ts';
import { asksAboutScans } from '../../support/db/scan-queries.ts';
import { codeBlocksOf, userDocuments } from '../../support/docs/markdown.ts';

const blocks = userDocuments().flatMap((file) => codeBlocksOf(file));

/** Queries as they are written for the command line. */
const inCommands = blocks
  .filter(({ language }) => language === 'sh')
  .flatMap(({ text }) => [...text.matchAll(/nightshift sql "([^"]*)"/g)])
  .map((match) => match[1] ?? '');
const queries = blocks
  .filter(({ language }) => language === 'sql')
  .map(({ text }) => text)
  .concat(inCommands)
  .filter(asksAboutScans);

describe('schedule with scans', () => {
  let cli: TestCli;
  let database: Awaited<ReturnType<typeof createTestDatabase>>;

  beforeAll(async () => {
    database = await createTestDatabase();
    cli = openTestCli({ DATABASE_URL: database.url }, { inProcess: true });
    const scans = await openTestScans(database);
    const schedule = await scans.addSchedule('rivals', ['acme.com'], { missesToEnd: 1 });
    await scans.runScan(schedule, 0, { 'acme.com': foundAds(['a', 'b']) });
    await scans.runScan(schedule, 1, { 'acme.com': foundAds(['a', adOf('n', { start: scanDay(1) })]) });
    await scans.evaluate();
  });
  afterAll(async () => {
    await cli.close();
    await database.close();
  });

  test('has queries in the README and the guides', () => {
    expect(queries.length).toBeGreaterThanOrEqual(5);
    expect(inCommands.some((query) => query.includes('reports.ads_changes'))).toBe(true);
  });

  test.each(queries)('runs: %s', async (query) => {
    const { exitCode, stdout, stderr } = await cli.run(['sql', '--format', 'csv', '--', query.trim()]);
    expect(exitCode, stderr).toBe(0);
    expect(stdout.trim().split('\n').length, stdout).toBeGreaterThan(1);
  });

  test('the query for changes of the last day returns the changes of the last scan', async () => {
    const morning = inCommands.find((query) => query.includes('reports.ads_changes')) ?? '';
    const { stdout } = await cli.run(['sql', '--format', 'csv', '--', morning]);
    // The command shows a day as its beginning.
    expect(stdout.replaceAll('T00:00:00.000Z', '').trim().split(/\r?\n/)).toEqual([
      'company_domain,kind,creative_id,ran_from,ran_to',
      `acme.com,ended,google:b,,${scanDay(0)}`,
      `acme.com,new,google:n,${scanDay(1)},`,
    ]);
  });
});
