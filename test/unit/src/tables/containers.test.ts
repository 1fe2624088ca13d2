import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { sheetFile, textRow } from '../../../support/tables/build-workbook.ts';
import { buildZip } from '../../../support/tables/build-zip.ts';
import { readTable, readText } from '../../../support/tables/read-list.ts';

const csv = 'company;domain\r\nÄ;a.com\r\n';

test('a text is passed on unchanged, as it is, gzipped, and as the only file of an archive', async () => {
  expect(await readText(csv)).toEqual({ text: csv, containers: [] });
  expect(await readText(gzipSync(csv))).toEqual({ text: csv, containers: ['gzip'] });
  const zip = buildZip([
    { name: 'lists/', content: '' },
    { name: 'lists/leads.csv', content: csv },
    { name: '__MACOSX/lists/._leads.csv', content: 'x' },
    { name: 'lists/.DS_Store', content: 'x' },
  ]);
  expect(await readText(zip)).toEqual({ text: csv, containers: ['zip'] });
  expect(await readText(gzipSync(zip))).toEqual({ text: csv, containers: ['gzip', 'zip'] });
});

test('a workbook is read gzipped and in an archive', async () => {
  const file = sheetFile(textRow('company', 'domain'));
  const inZip = buildZip([{ name: 'leads.xlsx', content: file, method: 0 }]);
  expect(await readTable(gzipSync(file))).toMatchObject({
    header: ['company', 'domain'],
    containers: ['gzip'],
  });
  expect(await readTable(inZip)).toMatchObject({ header: ['company', 'domain'], containers: ['zip'] });
});

test('NDJSON and Parquet names do not matter: a JSON list in an archive is read by its content', async () => {
  const zip = buildZip([{ name: 'leads.csv', content: '{"company":"A"}\n' }]);
  expect(await readTable(zip)).toMatchObject({ format: 'ndjson', header: ['company'], rows: [['A']] });
});

test.each([
  ['an empty file', ''],
  ['a header in brackets', '[name];[domain]\r\na;b\r\n'],
  ['a cell in braces', '{name},domain\n'],
  ['tab-separated text, as tools export it as .xls', 'company\tdomain\r\nA\ta.com\r\n'],
  ['text that begins with PK', 'PK,company\n1,A\n'],
])('%s is text', async (_, file) => {
  expect((await readText(file)).text).toBe(file);
});
