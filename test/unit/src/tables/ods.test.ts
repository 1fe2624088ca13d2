import { describe, expect, test } from 'vitest';
import {
  buildOds as odsFile,
  odsRow as row,
  odsTable as table,
  odsText as text,
} from '../../../support/tables/build-ods.ts';
import { readTable, rejectionOf } from '../../../support/tables/read-list.ts';

async function cellText(cell: string): Promise<string> {
  const { rows } = await readTable(odsFile(table('S', row(text('a'), text('b')) + row(text('x'), cell))));
  return rows[0]?.[1] ?? '';
}

describe('a cell is text:', () => {
  test.each([
    [
      '<table:table-cell office:value-type="float" office:value="1.2300000000000001"><text:p>1,23</text:p></table:table-cell>',
      '1.23',
    ],
    [
      '<table:table-cell office:value-type="float" office:value="1234"><text:p>01234</text:p></table:table-cell>',
      '01234',
    ],
    [
      '<table:table-cell office:value-type="percentage" office:value="0.5"><text:p>50%</text:p></table:table-cell>',
      '0.5',
    ],
    [
      '<table:table-cell office:value-type="currency" office:value="9.5"><text:p>€ 9.50</text:p></table:table-cell>',
      '9.5',
    ],
    [
      '<table:table-cell office:value-type="date" office:date-value="2026-11-25"><text:p>25.11.26</text:p></table:table-cell>',
      '2026-11-25',
    ],
    [
      '<table:table-cell office:value-type="date" office:date-value="2026-11-25T14:30:00"/>',
      '2026-11-25 14:30:00',
    ],
    ['<table:table-cell office:value-type="time" office:time-value="PT30H05M00.5S"/>', '30:05:00'],
    ['<table:table-cell office:value-type="boolean" office:boolean-value="true"/>', 'TRUE'],
    [
      '<table:table-cell office:value-type="float" office:value="0"><text:p>FALSE</text:p></table:table-cell>',
      'FALSE',
    ],
    [
      '<table:table-cell office:value-type="string" office:string-value="stored"><text:p>shown</text:p></table:table-cell>',
      'stored',
    ],
    [text('a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d'), 'a   b\tc\nd'],
    [text('a\n   b<text:span> <text:a>c</text:a></text:span>'), 'a b c'],
    [
      '<table:table-cell office:value-type="string"><text:p>1</text:p><text:p>2</text:p></table:table-cell>',
      '1\n2',
    ],
    [
      '<table:table-cell office:value-type="string"><office:annotation><text:p>note</text:p></office:annotation><text:p>text</text:p></table:table-cell>',
      'text',
    ],
    [
      '<table:table-cell office:value-type="string"><draw:frame><text:p>box</text:p></draw:frame></table:table-cell>',
      '',
    ],
  ])('%s', async (cell, expected) => {
    expect(await cellText(cell)).toBe(expected);
  });
});

test('errors are empty cells, and counted with their position', async () => {
  const error =
    '<table:table-cell office:value-type="string" office:string-value="" calcext:value-type="error"><text:p>#N/A</text:p></table:table-cell>';
  const read = await readTable(odsFile(table('S', row(text('a'), text('b')) + row(text('x'), error))));
  expect(read.rows).toEqual([['x', '']]);
  expect(read.notes).toMatchObject({ errorCells: 1, firstErrorCell: 'B2' });
});

test('repeated rows and cells are all read, and empty ones at the end cost nothing', async () => {
  const rows =
    '<table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>' +
    row(text('a'), text('b'), text('c')) +
    '<table:table-row table:number-rows-repeated="3"><table:table-cell office:value-type="float" office:value="7" table:number-columns-repeated="2"/>' +
    '<table:covered-table-cell/></table:table-row>' +
    '<table:table-row table:visibility="filter"><table:table-cell/><table:table-cell office:value-type="float" office:value="8"/>' +
    '<table:table-cell table:number-columns-repeated="16382"/></table:table-row>' +
    '<table:table-row table:number-rows-repeated="1048569"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>';
  const read = await readTable(odsFile(table('S', rows)));
  expect(read.records.map(({ lineNo, cells }) => [lineNo, ...cells])).toEqual([
    [3, 'a', 'b', 'c'],
    [4, '7', '7', ''],
    [5, '7', '7', ''],
    [6, '7', '7', ''],
    [7, '', '8', ''],
  ]);
  expect(read.notes.hiddenRows).toBe(1);
});

describe('sheets', () => {
  const hidden =
    '<style:style style:name="hid"><style:table-properties table:display="false"/></style:style>';
  const file = odsFile(
    `<table:table table:name="Notes" table:style-name="hid">${row(text('secret'))}</table:table>` +
      table('Empty', row('<table:table-cell/>')) +
      table('Leads', row(text('company'))) +
      table('Other', row(text('other'))),
    hidden,
  );

  test('the first visible sheet with content is read, or the named one', async () => {
    const read = await readTable(file);
    expect([read.format, read.sheet, read.header]).toEqual(['ods', 'Leads', ['company']]);
    expect(read.sheets.map(({ name, isHidden }) => `${name} ${isHidden}`)).toEqual([
      'Notes true',
      'Empty false',
      'Leads false',
      'Other false',
    ]);
    expect((await readTable(file, { sheet: 'other' })).header).toEqual(['other']);
  });

  test('an unknown sheet is rejected with the names of all', async () => {
    expect(await rejectionOf(file, { sheet: 'x' })).toBe(
      'list: Unknown sheet "x". Sheets of the workbook: "Notes", "Empty", "Leads", "Other".',
    );
  });
});

test.each([
  [
    '<table:table-row table:number-rows-repeated="2000000">' + text('a') + '</table:table-row>',
    'list, row 1: The spreadsheet is damaged: it has more than 1048576 rows.',
  ],
  [
    row(
      '<table:table-cell table:number-columns-repeated="2147483648" office:value-type="float" office:value="1"/>',
    ),
    'list, row 1: The spreadsheet is damaged: it has more than 16384 columns.',
  ],
  [
    row('<table:table-cell table:number-columns-repeated="-1"/>'),
    'list, row 1: The spreadsheet is damaged: a part is repeated "-1" times.',
  ],
  [
    '<table:table-row>',
    'list: The XML of the workbook is not well-formed: the end tag "table:table" closes no element.',
  ],
])('%s is rejected', async (rows, message) => {
  expect(await rejectionOf(odsFile(table('S', rows)))).toContain(message);
});
