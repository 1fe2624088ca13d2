import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readColumns, type ColumnReading } from '../../../../../src/producer/columns/read-columns.ts';
import { encodeText, streamOf } from '../../../../support/csv/company-files.ts';

function read(content: string | Buffer, reading: Partial<ColumnReading> = {}) {
  return readColumns(streamOf(content), { fileName: 'list.csv', ...reading });
}

test('readColumns returns every column with up to three non-empty cells', async () => {
  const list =
    'Account,Website,Note\nNike,nike.com,\n,,\nadidas,adidas.de,\nPuma,puma.com,x\nAsics,asics.com,y\n';
  expect(await read(list)).toEqual({
    format: 'csv',
    sheet: null,
    sheets: [],
    encoding: 'utf-8',
    delimiter: ',',
    linesAbove: 0,
    columns: [
      { name: 'Account', examples: ['Nike', 'adidas', 'Puma'], looksLike: 'text' },
      { name: 'Website', examples: ['nike.com', 'adidas.de', 'puma.com'], looksLike: 'web_address' },
      { name: 'Note', examples: ['x', 'y'], looksLike: 'text' },
    ],
    guesses: { company_domain: ['Website'], company_name: ['Account'], email: [] },
    taken: {
      company_domain: { column: 'Website', because: 'name' },
      company_name: { column: 'Account', because: 'name' },
      email: null,
    },
    problem: null,
  });
});

test('readColumns accepts a field with no or several matching columns, best match first', async () => {
  expect((await read('Ticker,Sector\nNKE,Shoes\n')).guesses).toEqual({
    company_domain: [],
    company_name: [],
    email: [],
  });
  const { guesses } = await read('url,Domain,Work Email,E-Mail\na,b,c,d\n');
  expect(guesses).toEqual({
    company_domain: ['Domain', 'url'],
    company_name: [],
    email: ['E-Mail', 'Work Email'],
  });
});

test.each([
  ['looks_like_data', 'Nike,nike.com\nadidas,adidas.de\n', ['Nike', 'nike.com']],
  ['unnamed_column', 'Name,,"Revenue, EUR"\nNike,x,1\n', ['Name', 'column_2', 'Revenue, EUR']],
  ['repeated_name', 'E-Mail,E-Mail,E-Mail_2\na,b,c\n', ['E-Mail', 'E-Mail_3', 'E-Mail_2']],
])('readColumns reports a header with %s and names every column', async (problem, list, names) => {
  const found = await read(list);
  expect(found.problem).toBe(problem);
  expect(found.columns.map(({ name }) => name)).toEqual(names);
});

test('readColumns leaves out lines above the header, and empty columns without a name', async () => {
  const list =
    'List of exhibitors\n\nCompany,Website,City,,\nNike,nike.com,Berlin,,\nPuma,puma.com,Ulm,,\n'.concat(
      'Asics,asics.com,Neuss,,\nFila,fila.com,Seoul,,\n',
    );
  const { columns, linesAbove, problem } = await read(list);
  expect([columns.map(({ name }) => name), linesAbove, problem]).toEqual([
    ['Company', 'Website', 'City'],
    2,
    null,
  ]);
});

test('readColumns numbers the columns without a header and uses the first line as an example', async () => {
  const { columns, problem, taken } = await read('Nike,nike.com\n', { noHeader: true });
  expect(problem).toBeNull();
  expect(columns).toEqual([
    { name: 'column_1', examples: ['Nike'], looksLike: 'text' },
    { name: 'column_2', examples: ['nike.com'], looksLike: 'web_address' },
  ]);
  expect(taken.company_domain).toEqual({ column: 'column_2', because: 'values' });
});

test('readColumns replaces the names of the header with given names', async () => {
  const { columns, problem } = await read('E-Mail,E-Mail\na@b.c,d@e.f\n', { columns: ['work', 'private'] });
  expect(problem).toBeNull();
  expect(columns.map(({ name }) => name)).toEqual(['work', 'private']);
});

describe('truncated file', () => {
  const header = 'company,note\n';
  test.each([
    ['within a quoted cell', `${header}Nike,x\n"adi`],
    ['within a character', Buffer.from(`${header}Nike,x\nMü`).subarray(0, -1)],
    ['within UTF-16', encodeText(`${header}Nike,x\nadidas`, 'utf-16le', true).subarray(0, -1)],
    ['after its header', header],
  ])('%s shows its columns', async (_case, content) => {
    expect((await read(content)).columns.map(({ name }) => name)).toEqual(['company', 'note']);
  });

  test('reads only its beginning', async () => {
    const rows = `Nike,${'x'.repeat(1000)}\n`.repeat(1000);
    // The end of the file would be rejected.
    const { columns } = await read(`${header}${rows}"never closed`);
    expect(columns[0]?.examples).toEqual(['Nike', 'Nike', 'Nike']);
  });
});

test('readColumns supports gzip, Windows-1252, semicolons and a line `sep=`', async () => {
  const text = 'sep=;\nFirma;Größe\nNestlé;1\n';
  const found = await read(gzipSync(encodeText(text, 'windows-1252')));
  expect(found).toMatchObject({ encoding: 'windows-1252', delimiter: ';' });
  expect(found.columns.map(({ name }) => name)).toEqual(['Firma', 'Größe']);
});

test.each([
  ['a workbook that is cut off', Buffer.from('PK\u0003\u0004rest'), /ZIP data is damaged or cut off/],
  ['an empty file', '', /empty/],
  ['a file of blank lines', '\n\n', /empty/],
  [
    'a header with NUL',
    'comp\0any,website\nNike,nike.com\n',
    /line 1: The header cannot be used: contains a NUL/,
  ],
  ['a file with too many columns', `${'a,'.repeat(2_000)}a\n`, /2000/],
])('readColumns rejects %s', async (_case, content, reported) => {
  await expect(read(content)).rejects.toThrow(reported);
});
