import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writtenTables } from '../../../support/csv/written-tables.ts';
import { randomRuns } from '../../../support/faults/random-runs.ts';
import { takeSeedNumber } from '../../../support/seed-number.ts';
import { sheetFile, textRow } from '../../../support/tables/build-workbook.ts';
import { buildZip } from '../../../support/tables/build-zip.ts';
import { readTable, readText } from '../../../support/tables/read-list.ts';

const csv = 'company;domain\r\nÄ;a.com\r\n';

test('a text is passed on unchanged, as it is, gzipped, and as the only file of an archive', async () => {
  expect(await readText(csv)).toMatchObject({ text: csv, containers: [] });
  expect(await readText(gzipSync(csv))).toMatchObject({ text: csv, containers: ['gzip'] });
  const zip = buildZip([
    { name: 'lists/', content: '' },
    { name: 'lists/leads.csv', content: csv },
    { name: '__MACOSX/lists/._leads.csv', content: 'x' },
    { name: 'lists/.DS_Store', content: 'x' },
  ]);
  expect(await readText(zip)).toMatchObject({ text: csv, containers: ['zip'] });
  expect(await readText(gzipSync(zip))).toMatchObject({ text: csv, containers: ['gzip', 'zip'] });
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

test('CSV files in all forms and encodings are text, and arrive unchanged', async () => {
  const property = fc.asyncProperty(writtenTables, async ({ content, writing }) => {
    const { bytes, containers } = await readText(content);
    expect(bytes).toEqual(writing.gzip ? gunzipSync(content) : content);
    expect(containers).toEqual(writing.gzip ? ['gzip'] : []);
  });
  await fc.assert(property, { seed: takeSeedNumber(), numRuns: randomRuns(5_000) });
});
