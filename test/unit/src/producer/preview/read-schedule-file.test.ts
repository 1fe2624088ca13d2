import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { readScheduleFile } from '../../../../../src/producer/preview/read-schedule-file.ts';
import type { ReadOptions } from '../../../../../src/producer/rows/read-companies.ts';
import { readContent, streamOf } from '../../../../support/csv/company-files.ts';
import { buildWorkbookFile, sheetFile, textRow } from '../../../../support/tables/build-workbook.ts';
import { listInFormats } from '../../../../support/tables/list-in-formats.ts';

const prices = { ads_search: 200_000n, email_validation: 0n };

function readFile(content: string | Uint8Array, options: Partial<ReadOptions> = {}) {
  return readScheduleFile(streamOf(content), { fileName: 'list', ...options }, prices);
}

/** Reads the stored file as a scan does. */
async function readStored({ file }: Awaited<ReturnType<typeof readFile>>) {
  return readContent(file.content, { ...file.options, fileName: file.fileName });
}

const table = {
  header: ['company', 'website', 'note'],
  rows: [
    ['Nike', 'nike.com', 'a "quoted" note, with a comma'],
    ['IKEA', '', 'Größe'],
    ['', '', 'without a company'],
  ],
};

describe('the file of a schedule', () => {
  test.each(listInFormats(table))('$name: a scan reads the rows of the file', async ({ content }) => {
    const read = await readFile(content);
    const stored = await readStored(read);
    expect(stored.file.form).toMatchObject({ format: 'csv', header: table.header, findings: [] });
    expect(stored.table).toEqual(table.rows);
    expect(read.file.companies).toBe(2);
    expect(read.check.rows).toMatchObject({ total: 3, rejected: 1 });
  });

  test('a workbook is stored as text, so that addresses can be erased from it', async () => {
    const { file } = await readFile(
      sheetFile(textRow('company', 'email') + textRow('Nike', 'jane@nike.com')),
    );
    expect(file.content.toString()).toBe('"company","email"\n"Nike","jane@nike.com"\n');
  });

  test('rows keep their number in the sheet, below titles and blank rows', async () => {
    const cell = (place: string, text: string) => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;
    const row = (no: number, ...cells: readonly string[]) =>
      `<row r="${no}">${cells.map((text, index) => cell(`${'ABC'[index] ?? ''}${no}`, text)).join('')}</row>`;
    const file = sheetFile(
      row(2, 'Our leads') +
        row(4, 'company', 'website', 'note') +
        row(5, 'Nike', 'nike.com', 'two\nlines') +
        row(9, 'IKEA', 'ikea.com', 'x'),
    );
    const { rows } = await readStored(await readFile(file));
    expect(rows.map(({ lineNo, cells }) => [lineNo, cells[0]])).toEqual([
      [5, 'Nike'],
      [9, 'IKEA'],
    ]);
  });

  test('a record that cannot be read stays a rejected row, with its reason', async () => {
    const read = await readFile('{"company":"Nike"}\n{"company":\n{"company":"IKEA"}\n');
    const { rows } = await readStored(read);
    expect(rows.map(({ problem }) => problem === null)).toEqual([true, false, true]);
    expect(rows[1]?.cells.at(-1)).toMatch(/JSON/);
    expect(read.check.rows).toMatchObject({ total: 3, rejected: 1 });
  });

  test('the chosen sheet is stored, and what its content needs is reported', async () => {
    const sheet = (name: string, company: string) => ({
      name,
      rows: textRow('company', 'website') + textRow(company, `${company}.com`),
    });
    const file = buildWorkbookFile({ sheets: [sheet('A', 'nike'), sheet('B', 'ikea')] });
    const chosen = await readFile(file, { sheet: 'b' });
    expect((await readStored(chosen)).table).toEqual([['ikea', 'ikea.com']]);
    expect(chosen.notes).toEqual([]);
    expect((await readFile(file)).notes).toEqual([expect.stringContaining('Only the sheet "A" is read')]);
  });

  test('the input is closed after each file and each rejection', async () => {
    for (const content of [sheetFile(textRow('company') + textRow('Nike')), Buffer.from('PK\u0003\u0004')]) {
      const input = Readable.from([content]);
      await readScheduleFile(input, { fileName: 'list' }, prices).catch(() => undefined);
      expect(input.destroyed).toBe(true);
    }
  });
});
