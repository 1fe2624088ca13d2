import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { useTestCli } from '../../support/cli/test-cli.ts';
import { readParquet } from '../../support/reports/read-parquet.ts';

interface Increment {
  readonly batch: string | null;
  readonly output: string;
  readonly since: string;
  readonly until: string;
  readonly lines: number;
}
type Line = Readonly<Record<string, string>>;

const cli = useTestCli({ inProcess: true });

/** Exports an increment, until it has `lines` lines: what ended within the last second is part of the next one. */
async function exportedSince(
  since: string,
  file: string,
  { lines, more = [] }: { readonly lines: number; readonly more?: readonly string[] },
): Promise<Increment> {
  return vi.waitUntil(
    async () => {
      const done = (await cli().ask(['export', ...more, '--since', since, '-o', file])) as Increment;
      return done.lines === lines && done;
    },
    { timeout: 20_000, interval: 100 },
  );
}

const linesOf = (file: string): readonly Line[] => parse(cli().read(file), { columns: true });

describe('export --since', () => {
  let first: string;

  beforeAll(async () => {
    cli().write('first.csv', 'company,website\nNike,nike.com\nNobody,no-ads.example\nn/a,\n');
    ({ id: first } = (await cli().ask(['enrich', 'first.csv', '--source', 'sample', '-o', 'o.csv'])) as {
      id: string;
    });
  });

  test('has what ended in all batches, with the same columns for each, and then only what is new', async () => {
    const done = await exportedSince('1d', 'all.csv', { lines: 3 });
    expect(done).toMatchObject({ batch: null, output: 'all.csv' });
    const rows = linesOf('all.csv');
    expect(rows.map(({ batch, row, ads_outcome: outcome }) => [batch, row, outcome])).toEqual([
      [first, '1', 'found'],
      [first, '2', 'no_match'],
      [first, '3', 'rejected'],
    ]);
    expect(rows[0]).toMatchObject({ company_domain: 'nike.com', company_name: 'Nike' });
    expect(JSON.parse(rows[0]?.['input'] ?? '')).toEqual({ company: 'Nike', website: 'nike.com' });
    expect(JSON.parse(cli().read('all.csv.manifest.json'))).toMatchObject({
      details: { since: done.since, until: done.until },
    });

    cli().write('second.csv', 'Account;Land\nAdidas;DE\n');
    const { id: second } = (await cli().ask([
      ...['enrich', 'second.csv', '--map', 'company_name=Account', '--source', 'sample', '-o', 'o2.csv'],
    ])) as { id: string };
    const next = await exportedSince(done.until, 'next.csv', { lines: 1 });
    expect(next.since).toBe(done.until);
    const [only] = linesOf('next.csv');
    expect(only).toMatchObject({ batch: second, row: '1' });
    expect(JSON.parse(only?.['input'] ?? '')).toEqual({ Account: 'Adidas', Land: 'DE' });
    expect(Object.keys(only ?? {})).toEqual(Object.keys(rows[0] ?? {}));
    await exportedSince(next.until, 'none.csv', { lines: 0 });
  });

  test('of one batch has its own columns', async () => {
    const done = await exportedSince('1d', 'one.csv', { lines: 3, more: [first] });
    expect(done.batch).toBe(first);
    expect(cli().read('one.csv')).toBe(cli().read('o.csv'));
    await exportedSince(done.until, 'none.csv', { lines: 0, more: [first] });
  });

  test('has ads and variants, in typed formats, too', async () => {
    await cli().ask(['export', '--since', '1d', '--shape', 'ads', '-o', 'ads.parquet']);
    const { names, types, lines } = await readParquet(readFileSync(join(cli().folder, 'ads.parquet')));
    expect(types[names.indexOf('ended_at')]).toBe('TIMESTAMP(UTC,MICROS)');
    expect(types[names.indexOf('row')]).toBe('INT32');
    const creatives = lines.map((line) => line[names.indexOf('creative_id')]).filter((id) => id !== null);
    expect(new Set(creatives).size).toBe(creatives.length);
    expect(creatives.length).toBeGreaterThan(3);
  });

  test('prints the moment to pass next alone on stdout, and with the rows on stderr', async () => {
    const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
    const toFile = await cli().run(['export', '--since', '2026-01-01', '-o', 'rows.csv']);
    expect(toFile.exitCode, toFile.stderr).toBe(0);
    expect(toFile.stdout.trimEnd()).toMatch(moment);
    expect(toFile.stderr).toContain(`--since ${toFile.stdout.trimEnd()}`);
    const toStdout = await cli().run(['export', '--since', '2026-01-01']);
    expect(toStdout.stdout).toBe(cli().read('rows.csv'));
    expect(toStdout.stderr).toMatch(/Pass next: --since \d{4}-/);
  });

  test.each([
    [['export'], 'Name a batch, or export what ended'],
    [['export', '--since', 'yesterday'], '--since yesterday: write how long ago'],
    [['export', '--since', '2999-01-01', '-o', 'x.csv'], 'is in the future'],
    [['export', '--since', '1d', '--json'], 'Name a file for the rows: -o FILE'],
  ])('rejects `%s` with a remedy', async (args, message) => {
    const { exitCode, stderr } = await cli().run(args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });
});
