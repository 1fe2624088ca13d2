import { readdirSync, readlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readCompanies, type CompanyFile } from '../../../../../src/producer/rows/read-companies.ts';
import { readColumns } from '../../../../../src/producer/columns/read-columns.ts';
import { readCompanyMapping } from '../../../../../src/producer/rows/read-company-mapping.ts';
import { readScheduleFile } from '../../../../../src/producer/preview/read-schedule-file.ts';
import { streamOf } from '../../../../support/csv/company-files.ts';
import { sheetFile, textRow } from '../../../../support/tables/build-workbook.ts';

const rows = textRow('Nike', 'nike.com').repeat(5_000);
const workbook = sheetFile(textRow('company', 'website') + rows);
const withoutColumn = sheetFile(textRow('x', 'y') + textRow('1', '2'));
const damaged = sheetFile(`${textRow('company', 'website')}${rows}<row><c t="inlineStr"></row>`);
const prices = { ads_search: 1n, email_validation: 1n };

/** Names of the open temporary files of this process. */
function openFiles(): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const name = readlinkSync(`/proc/self/fd/${fd}`);
      return name.includes('nightshift-table-') ? [name] : [];
    } catch {
      // The descriptor of the folder itself.
      return [];
    }
  });
}

const open = (content: Buffer, options = {}) =>
  readCompanies(streamOf(content), { fileName: 'list.xlsx', ...options });

async function readAll(file: CompanyFile): Promise<void> {
  for await (const block of file.rows) void block;
}

describe.skipIf(process.platform !== 'linux')('the temporary file of a workbook is closed', () => {
  test.each([
    ['after the last row', async () => readAll(await open(workbook))],
    [
      'when the reader leaves early',
      async () => {
        for await (const block of (await open(workbook)).rows) if (block.length > 0) break;
      },
    ],
    ['when only its form is read', async () => (await open(workbook)).close()],
    ['when no column is found', () => open(withoutColumn)],
    ['for an option without a meaning', () => open(workbook, { delimiter: ',' })],
    ['for an invalid option', () => open(workbook, { skipLines: -1 })],
    ['when the sheet turns out to be damaged', async () => readAll(await open(damaged))],
    ['after its columns are listed', () => readColumns(streamOf(workbook), { fileName: 'list.xlsx' })],
    ['when it is no mapping', () => readCompanyMapping(streamOf(workbook), { fileName: 'list.xlsx' })],
    [
      'after a schedule has stored it',
      () => readScheduleFile(streamOf(workbook), { fileName: 'list.xlsx' }, prices),
    ],
  ])('%s', async (_case, read) => {
    await Promise.resolve(read()).catch(() => undefined);
    expect(openFiles()).toEqual([]);
  });

  test('and was open before', async () => {
    const file = await open(workbook);
    expect(openFiles()).toHaveLength(1);
    await file.close();
    await file.close();
    expect(openFiles()).toEqual([]);
  });
});
