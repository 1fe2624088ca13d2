import { expect, test } from 'vitest';
import fc from 'fast-check';
import { createPastedRows, pastedName } from '../../../../../src/console/components/list-file/pasted-rows.ts';

test('rows of a spreadsheet keep cells with tabs, line ends and quotation marks', async () => {
  const copied = 'Company\tNote\r\nNike\t"two\r\nlines, a\ttab and ""quotes"""\r\n5" pipes\t"Air" Max\r\n';
  expect(await linesOf(copied)).toEqual([
    '"Company","Note"',
    '"Nike","two\r\nlines, a\ttab and ""quotes"""',
    '"5"" pipes","""Air"" Max"',
  ]);
  expect(createPastedRows(copied).name).toBe(pastedName);
});

test('an opening quotation mark without its end is text, and no row is lost', async () => {
  expect(await linesOf('a\tb\n"Nike\tx\nPuma\ty')).toEqual(['"a","b"', '"""Nike","x"', '"Puma","y"']);
});

test('blank cells and rows within a table are kept, blank rows at its end are not', async () => {
  expect(await linesOf('a\tb\n\t\nNike\t\n\t\n\n')).toEqual(['"a","b"', '"",""', '"Nike",""']);
});

test.each([
  ['websites', 'nike.com\nadidas.com\n', ['"company_domain"', '"nike.com"', '"adidas.com"']],
  [
    'names, websites and addresses',
    'Acme "Inc", Ltd.\n\n nike.com \na@b.com',
    [
      '"company_name","company_domain","email"',
      '"Acme ""Inc"", Ltd.","",""',
      '"","nike.com",""',
      '"","","a@b.com"',
    ],
  ],
  ['names with a known header', 'Firma\nNike\nPuma', ['"Firma"', '"Nike"', '"Puma"']],
  ['names with commas', 'Nike, Inc.\nPuma, SE', ['"company_name"', '"Nike, Inc."', '"Puma, SE"']],
])('a column of %s gets the names of its fields', async (_what, text, lines) => {
  expect(await linesOf(text)).toEqual(lines);
});

test('a CSV text is kept as it is', async () => {
  const text = 'Name;Site\n"Nike; Inc";nike.com\n';
  expect(await createPastedRows(text).text()).toBe(text);
});

test('a table of any cells is read back cell by cell', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', ' ', '"', '\t', '\n', ',', 'é') });
  const row = fc.tuple(fc.constantFrom('x', 'y'), cell, cell);
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 6 }), async (rows) => {
      const copied = rows.map((cells) => cells.map(copiedCell).join('\t')).join('\r\n');
      const written = rows.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
      expect(await createPastedRows(`${copied}\r\n`).text()).toBe(written);
    }),
  );
});

/** Writes a cell as Google Sheets does: in quotes where it contains a tab, a line end or a quotation mark. */
function copiedCell(cell: string): string {
  return /[\t\n"]/.test(cell) ? csvCell(cell) : cell;
}

function csvCell(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}

async function linesOf(text: string): Promise<readonly string[]> {
  return (await createPastedRows(text).text())
    .split(/(?<=")\r\n(?=")/)
    .map((line) => line.replace(/\r\n$/, ''));
}
