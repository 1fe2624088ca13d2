import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { anySearch } from '../../../../../src/core/ads/ads-answer.ts';
import type { BatchRows, SubmittedBatch, SubmittedRow } from '../../../../../src/core/batches/batch-rows.ts';
import {
  readScheduleFile,
  readScheduleOfBatch,
} from '../../../../../src/producer/preview/read-schedule-file.ts';
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

describe('the rows of a batch as the file of a schedule', () => {
  const batch = {
    batchId: 1,
    ...{ name: null, fileName: 'list.csv', tags: [], delimiter: ';', sources: ['sample'], search: anySearch },
    header: ['name', 'site', 'note'],
    columnMap: { company_name: 0, company_domain: 1 },
    operations: ['ads_search'] as const,
  } satisfies SubmittedBatch;

  function submitted(rows: readonly Partial<SubmittedRow>[]): BatchRows {
    const page = rows.map((row, i) => ({ lineNo: i + 2, cells: [], problem: null, warning: null, ...row }));
    return {
      readSubmitted: () => Promise.resolve(batch),
      async *read() {
        yield await Promise.resolve(page);
      },
    };
  }

  const readBatch = (rows: readonly Partial<SubmittedRow>[], of: SubmittedBatch = batch) =>
    readScheduleOfBatch(submitted(rows), of, { pricesMicro: prices });

  test('a scan reads the same cells from the same lines and columns', async () => {
    const cells = [
      ['Nike; Inc.', 'nike.com', 'two\nlines, "quoted"'],
      ['IKEA', '', ''],
    ];
    const read = await readBatch([
      { lineNo: 3, cells: cells[0] ?? [] },
      { lineNo: 9, cells: cells[1] ?? [] },
    ]);
    const { file, rows, table: stored } = await readStored(read);
    expect(stored).toEqual(cells);
    expect(rows.map(({ lineNo }) => lineNo)).toEqual([3, 9]);
    expect(file.form).toMatchObject({
      header: batch.header,
      delimiter: ';',
      fields: { company_domain: 1, company_name: 0, email: null },
    });
    expect(read.file).toMatchObject({ fileName: 'list.csv', companies: 2 });
  });

  test('a header that looks like data, and empty cells at the ends of all rows, change nothing', async () => {
    const header = ['nike.com', 'domain', 'notes'];
    const of = { ...batch, header, columnMap: { company_name: 0 }, delimiter: null };
    const read = await readBatch([{ lineNo: 1, cells: ['adidas.de', 'x', ''] }], of);
    const { file, table: stored } = await readStored(read);
    expect(stored).toEqual([['adidas.de', 'x', '']]);
    expect(file.form).toMatchObject({
      header,
      fields: { company_domain: null, company_name: 0, email: null },
    });
  });

  test.each<[string, readonly string[]]>([
    ['with replaced characters', ['Müll�', 'mueller.com', '']],
    ['with too few cells, in a strict file', ['Nike', 'nike.com']],
    ['with too many cells', ['Nike', 'nike.com', '', 'more']],
    ['with further empty cells, in a strict file', ['Nike', 'nike.com', '', '']],
    ['without a company', ['', 'kein Name.', '']],
    ['of empty cells', ['', '', '']],
    ['without cells', []],
  ])('a rejected row %s stays a rejected row', async (_, cells) => {
    const read = await readBatch([{ cells, problem: 'its reason' }, { cells: ['Nike', 'nike.com', ''] }]);
    expect(read.check.rows).toMatchObject({ total: 2, rejected: 1 });
    const [row] = (await readStored(read)).rows;
    expect(row?.cells.slice(0, cells.length)).toEqual(cells);
  });

  test('a batch without companies is rejected', async () => {
    await expect(readBatch([{ cells: ['', '', ''], problem: 'empty' }])).rejects.toThrow(
      'list.csv: none of its 1 rows has a company',
    );
  });
});
