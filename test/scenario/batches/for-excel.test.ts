import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { useTestCli } from '../../support/cli/test-cli.ts';
import { listInFormats } from '../../support/tables/list-in-formats.ts';

const cli = useTestCli({ inProcess: true });

/** Enriches a file, and returns the text of its export for Excel. */
async function forExcel(file: string, more: readonly string[] = []): Promise<string> {
  const { id } = (await cli().ask(['enrich', file, '--source', 'sample', '-o', 'o.csv'])) as { id: string };
  await cli().ask(['export', id, '-o', 'excel.csv', '--for-excel', ...more]);
  return cli().read('excel.csv');
}

describe('export --for-excel', () => {
  test('of a German list in Windows-1252 has its semicolons, decimal commas and a byte order mark', async () => {
    cli().write(
      'liste.csv',
      Buffer.from('Firma;Website;Umsatz\nMüller "Süd";nike.com;1,5\nNobody;no-ads.example;2\n', 'latin1'),
    );
    const text = await forExcel('liste.csv');
    expect(text).toMatch(/^\ufeffFirma;Website;Umsatz;ads_outcome;/);
    expect(text).toContain('"Müller ""Süd""";nike.com;1,5;found;');
    expect(text).toMatch(/;0,2;/);
    expect(text).not.toMatch(/;0\.2;/);
  });

  test.each([
    [
      'tabs',
      'company\twebsite\nNike\tnike.com\n',
      /^\ufeffcompany\twebsite\tads_outcome\t(.*\n)+Nike\t.*\t0\.2\t/,
    ],
    ['commas', 'company,website\nNike,nike.com\n', /^\ufeffcompany,website,ads_outcome,(.*\n)+Nike,.*,0\.2,/],
  ])('of a list with %s has them, and decimal points', async (name, content, expected) => {
    cli().write(`${name}.csv`, content);
    expect(await forExcel(`${name}.csv`)).toMatch(expected);
  });

  test('of a workbook has commas, or the delimiter that is asked for', async () => {
    const files = listInFormats({ header: ['company', 'website'], rows: [['Nike', 'nike.com']] });
    const workbook = files.find(({ format }) => format === 'xlsx');
    cli().write('list.xlsx', workbook?.content ?? '');
    expect(await forExcel('list.xlsx')).toMatch(/^\ufeffcompany,website,ads_outcome,/);
    expect(await forExcel('list.xlsx', ['--delimiter', ';'])).toMatch(
      /^\ufeffcompany;website;(.*\n)+.*;0,2;/,
    );
  });

  describe('of a batch', () => {
    let batch: string;
    beforeAll(async () => {
      cli().write('again.csv', 'company;website\nNike;nike.com\n');
      ({ id: batch } = (await cli().ask(['load', 'again.csv', '--source', 'sample'])) as { id: string });
    });

    test('that is run again has the delimiter of the first file', async () => {
      const { id } = (await cli().ask(['run-again', batch])) as { id: string };
      await cli().ask(['export', id, '-o', 'second.csv', '--for-excel']);
      expect(readFileSync(join(cli().folder, 'second.csv'), 'utf8')).toMatch(/^\ufeffcompany;website;/);
    });

    test('with --since has it, too', async () => {
      await cli().ask(['export', batch, '--since', '1d', '-o', 'since.csv', '--for-excel']);
      expect(cli().read('since.csv')).toMatch(/^\ufeffcompany;website;/);
    });

    test.each([
      [['BATCH', '-o', 'x.xlsx'], '--for-excel is for CSV, and the format is xlsx'],
      [['--since', '1d', '-o', 'x.csv'], '--for-excel is for one batch'],
    ])('is rejected for %j', async (args, says) => {
      const given = args.map((each) => (each === 'BATCH' ? batch : each));
      const { exitCode, stderr } = await cli().run(['export', ...given, '--for-excel']);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(says)]);
    });
  });
});
