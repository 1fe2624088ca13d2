import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { useTestCli } from '../../support/cli/test-cli.ts';

const cli = useTestCli({ inProcess: true });

describe('check', () => {
  beforeAll(() => {
    cli().write('twice.csv', 'domain\nnike.com\npuma.com\nnike.com\n');
    cli().write('rejected.csv', 'domain\nnike.com\nnot a domain\n');
  });

  test('exits with 0 for duplicates, and with 1 with --strict', async () => {
    const found = await cli().run(['check', 'twice.csv']);
    expect([found.exitCode, found.stdout]).toEqual([0, expect.stringContaining('Repeated   1 rows')]);
    expect(await cli().run(['check', 'twice.csv', '--strict'])).toMatchObject({ exitCode: 1 });
  });

  test('exits with 1 for a rejected row', async () => {
    expect(await cli().run(['check', 'rejected.csv'])).toMatchObject({ exitCode: 1 });
  });
});

describe('sql --views', () => {
  test('lists the views with their columns', async () => {
    const views = (await cli().ask(['sql', '--views'])) as readonly {
      readonly name: string;
      readonly columns: readonly string[];
    }[];
    const names = views.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['reports.ads', 'reports.batches', 'reports.lookups']));
    expect(views.find(({ name }) => name === 'reports.lookups')?.columns).toContain('company_key');
    const { stdout } = await cli().run(['sql', '--views']);
    for (const name of names) expect(stdout).toContain(name);
  });
});

describe('search', () => {
  test('prints the ads with their days and links', async () => {
    const { stdout } = await cli().run(['search', '--domain', 'nike.com', '--source', 'sample']);
    expect(stdout).toMatch(/headline .*format .*first seen .*last seen .*link/);
    expect(stdout).toMatch(/\d{4}-\d\d-\d\d .*https:\/\//);
  });
});

describe('export as CSV', () => {
  let batch: string;
  beforeAll(async () => {
    cli().write('one.csv', 'domain,note\nnike.com,"a, b"\n');
    ({ id: batch } = (await cli().ask(['load', 'one.csv', '--source', 'sample'])) as { id: string });
  });

  test('has the delimiter and the byte order mark of its options', async () => {
    const args = ['export', batch, '-o', 'excel.csv', '--delimiter', ';', '--bom'];
    expect(await cli().run(args)).toMatchObject({ exitCode: 0 });
    const text = readFileSync(join(cli().folder, 'excel.csv'), 'utf8');
    expect(text).toMatch(/^\ufeffdomain;note;/);
    expect(text).toContain('nike.com;a, b;');
    const tabs = await cli().run(['export', batch, '--delimiter', 'tab']);
    expect(tabs.stdout).toContain('nike.com\ta, b\t');
  });

  test.each([
    [['--delimiter', '::'], 'use a comma, a semicolon, tab or a pipe'],
    [['--bom', '--format', 'ndjson'], '--bom is for CSV'],
    [['--delimiter', ';', '-o', 'x.parquet'], '--delimiter is for CSV'],
  ])('rejects %j', async (options, says) => {
    const { exitCode, stderr } = await cli().run(['export', batch, ...options]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(says)]);
  });
});
