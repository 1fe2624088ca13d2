import { describe, expect, test } from 'vitest';
import {
  buildWorkbookFile,
  sheetFile,
  textRow,
  workbookParts,
} from '../../../support/tables/build-workbook.ts';
import { buildZip } from '../../../support/tables/build-zip.ts';
import { readTable, rejectionOf } from '../../../support/tables/read-list.ts';

const header = textRow('company', 'value');

/** Text of one cell of a sheet, with the styles of a workbook. */
async function cellText(cell: string, options: Parameters<typeof sheetFile>[1] = {}): Promise<string> {
  const { rows } = await readTable(sheetFile(`${header}<row><c t="str"><v>A</v></c>${cell}</row>`, options));
  return rows[0]?.[1] ?? '';
}

describe('cells', () => {
  test.each([
    ['1.2300000000000001', '1.23'],
    ['0.30000000000000004', '0.3'],
    ['4.93012345E+10', '49301234500'],
    ['1.23456789012345E+17', '123456789012345000'],
    ['1E-7', '0.0000001'],
    ['-1.5e-3', '-0.0015'],
    ['-0', '0'],
    ['  12 ', '12'],
    ['1E+300', '1e+300'],
    ['', ''],
  ])('the number %s is the text %j', async (stored, text) => {
    expect(await cellText(`<c><v>${stored}</v></c>`)).toBe(text);
  });

  test.each([
    ['<c t="s"><v>0</v></c>', 'Müller & Sons <b>'],
    ['<c t="s"><v>1</v></c>', 'rich text'],
    ['<c t="s"><v>2</v></c>', ' 東京 '],
    ['<c t="inlineStr"><is><t xml:space="preserve"> a </t></is></c>', ' a '],
    ['<c t="inlineStr"><is><r><t>a</t></r><r><rPr><b/></rPr><t>b</t></r></is></c>', 'ab'],
    ['<c t="str"><f>A1&amp;"x"</f><v>result</v></c>', 'result'],
    ['<c t="str"><v>a_x000D_b_x005F_x000D_</v></c>', 'a\rb_x000D_'],
    ['<c t="str"><v><![CDATA[<a> & b]]></v></c>', '<a> & b'],
    ['<c t="str"><v>a&#x41;&#66;<!-- no -->c</v></c>', 'aABc'],
    ['<c t="b"><v>1</v></c>', 'TRUE'],
    ['<c t="b"><v>0</v></c>', 'FALSE'],
    ['<c><f>1+2</f><v>3</v></c>', '3'],
    ['<c t="d"><v>2026-11-25T14:30:00</v></c>', '2026-11-25 14:30:00'],
    ['<c t="d"><v>2026-11-25T00:00:00.000Z</v></c>', '2026-11-25'],
    ['<c/>', ''],
  ])('%s is the text %j', async (cell, text) => {
    const texts = [
      '<t>Müller &amp; Sons &lt;b&gt;</t>',
      '<r><rPr><b/></rPr><t>rich </t></r><r><t>text</t></r>',
      '<t xml:space="preserve"> 東京 </t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh>',
    ];
    expect(await cellText(cell, { texts })).toBe(text);
  });

  test.each([
    [14, '46351', '2026-11-25'],
    [22, '46351.604166666664', '2026-11-25 14:30:00'],
    [20, '0.604166666666667', '14:30:00'],
    [46, '1.25', '30:00:00'],
    ['yyyy\\-mm\\-dd', '46351.9', '2026-11-25'],
    ['[$-409]d/m/yy h:mm AM/PM;@', '46351.604166666664', '2026-11-25 14:30:00'],
    ['[Red]dd.mm.yyyy', '1', '1900-01-01'],
    ['mmm', '59', '1900-02-28'],
    ['d', '60', '1900-02-29'],
    ['d', '61', '1900-03-01'],
    ['d', '2958465', '9999-12-31'],
    ['d', '2958466', '2958466'],
    ['d', '-1', '-1'],
    ['d', '0', '0'],
    ['[h]:mm', '1.5', '36:00:00'],
    ['mm:ss', '0.5', '12:00:00'],
    // No dates, although they have letters of dates.
    ['General', '46351', '46351'],
    ['0.00E+00', '46351', '46351'],
    ['#,##0 "days"', '46351', '46351'],
    ['0\\d', '46351', '46351'],
    ['[$USD] #,##0', '46351', '46351'],
    ['0%', '0.5', '0.5'],
    ['00000', '1234', '01234'],
    ['00000', '123456', '123456'],
    ['0000', '1.5', '1.5'],
  ])('in the format %s the number %s is %s', async (format, stored, text) => {
    expect(await cellText(`<c s="1"><v>${stored}</v></c>`, { formats: [0, format] })).toBe(text);
  });

  test('a workbook that counts days from 1904 has the same dates', async () => {
    const options = { formats: [14], isFrom1904: true };
    expect(await cellText('<c s="0"><v>0</v></c>', options)).toBe('1904-01-01');
    expect(await cellText('<c s="0"><v>44889</v></c>', options)).toBe('2026-11-25');
  });

  test('errors and formulas without a result are empty cells, and counted with their position', async () => {
    const rows =
      `${header}<row r="2"><c r="A2" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="B2" t="str"><v>x</v></c></row>` +
      '<row r="4"><c r="A4" t="str"><v>y</v></c><c r="B4"><f>1+2</f></c></row>' +
      '<row r="5"><c r="A5" t="str"><v>z</v></c><c r="B5"><f>1+2</f><v></v></c></row>' +
      '<row r="6"><c r="A6" t="str"><v>z</v></c><c r="B6" t="str"><f>""</f><v></v></c></row>';
    const table = await readTable(sheetFile(rows));
    expect(table.rows).toEqual([
      ['', 'x'],
      ['y', ''],
      ['z', ''],
      ['z', ''],
    ]);
    expect(table.notes).toMatchObject({
      errorCells: 1,
      firstErrorCell: 'A2',
      uncalculatedCells: 2,
      firstUncalculatedCell: 'B4',
    });
  });

  test('characters that cannot be stored are replaced, and their row has a problem', async () => {
    const table = await readTable(
      sheetFile(
        `${header}<row><c t="str"><v>a_x0000_</v></c><c t="str"><v>_xD800_</v></c></row>${textRow('b')}`,
      ),
    );
    expect(table.records.map(({ cells, problem }) => ({ cells, problem })).slice(1)).toEqual([
      {
        cells: ['a\u2400', '\ufffd'],
        problem:
          'contains a NUL character (shown as \u2400); contains a lone UTF-16 surrogate (shown as \ufffd)',
      },
      { cells: ['b', ''], problem: null },
    ]);
  });
});

describe('rows', () => {
  test('positions leave gaps, missing ones follow the cell before, and blank rows are left out', async () => {
    const rows =
      '<row r="3"><c r="B3" t="str"><v>company</v></c><c t="str"><v>domain</v></c><c r="E3" t="str"><v>city</v></c></row>' +
      '<row r="4"><c r="A4" s="1"/><c r="XFD4"/></row>' +
      '<row><c r="C5" t="str"><v>a.com</v></c></row>' +
      '<row r="9"><c r="b9" t="str"><v>A</v></c></row>';
    const table = await readTable(sheetFile(rows));
    expect(table.records.map(({ lineNo, cells }) => [lineNo, ...cells])).toEqual([
      [3, '', 'company', 'domain', '', 'city'],
      [5, '', '', 'a.com', '', ''],
      [9, '', 'A', '', '', ''],
    ]);
  });

  test('the header is as wide as the rows below, and a later wider row keeps its cells', async () => {
    const rows = [
      textRow('a', 'b'),
      textRow('1', '2', '3'),
      ...new Array<string>(1_100).fill(textRow('1')),
      textRow('1', '2', '3', '4'),
    ];
    const table = await readTable(sheetFile(rows.join('')));
    expect(table.header).toEqual(['a', 'b', '']);
    expect(table.rows.at(-2)).toEqual(['1', '', '']);
    expect(table.rows.at(-1)).toEqual(['1', '2', '3', '4']);
  });

  test('titles above the header are left out and counted', async () => {
    const rows = [textRow('Our leads'), textRow('as of', '2026'), textRow('a', 'b', 'c', 'd', 'e')];
    const data = textRow('1', '2', '3', '4', '5').repeat(5);
    const table = await readTable(sheetFile(rows.join('') + data));
    expect([table.header, table.rows.length, table.notes.rowsAbove]).toEqual([
      ['a', 'b', 'c', 'd', 'e'],
      5,
      2,
    ]);
    const given = await readTable(sheetFile(rows.join('') + data), { skipRows: 1 });
    expect([given.header, given.rows.length]).toEqual([['as of', '2026', '', '', ''], 6]);
  });

  test('a sparse first row of a narrow table is its header', async () => {
    const table = await readTable(sheetFile(textRow('company') + textRow('A', 'a.com').repeat(5)));
    expect([table.header, table.notes.rowsAbove]).toEqual([['company', ''], 0]);
  });

  test('hidden rows are read and counted; merged areas have their value once', async () => {
    const rows = `${header}<row hidden="1"><c t="str"><v>A</v></c></row><row><c t="str"><v>B</v></c></row>`;
    const table = await readTable(sheetFile(rows));
    expect(table.rows).toEqual([
      ['A', ''],
      ['B', ''],
    ]);
    expect(table.notes.hiddenRows).toBe(1);
  });

  test('the rows do not depend on the chunks in which the file arrives', async () => {
    const file = sheetFile(header + textRow('Müller &amp; 東京', 'x').repeat(500));
    const whole = await readTable(file);
    expect((await readTable(file, { chunkBytes: 7 })).records).toEqual(whole.records);
  });
});

describe('sheets', () => {
  const workbook = buildWorkbookFile({
    sheets: [
      { name: 'Notes', rows: textRow('secret', 'x'), state: 'hidden' },
      { name: 'Empty', rows: '<row r="1"><c r="A1" s="0"/></row>' },
      { name: 'Leads &amp; more', rows: textRow('company', 'domain') + textRow('A', 'a.com') },
      { name: 'Other', rows: textRow('other', 'y'), state: 'veryHidden' },
    ],
  });

  test('the first visible sheet with content is read, and all are listed', async () => {
    const table = await readTable(workbook);
    expect([table.sheet, table.header]).toEqual(['Leads & more', ['company', 'domain']]);
    expect(table.sheets).toEqual([
      { name: 'Notes', isHidden: true },
      { name: 'Empty', isHidden: false },
      { name: 'Leads & more', isHidden: false },
      { name: 'Other', isHidden: true },
    ]);
  });

  test('a named sheet is read, hidden or not, in any case', async () => {
    expect((await readTable(workbook, { sheet: ' notes' })).header).toEqual(['secret', 'x']);
  });

  test('an unknown sheet, and a sheet without content, are rejected with the names of the others', async () => {
    expect(await rejectionOf(workbook, { sheet: 'Leads' })).toBe(
      'list: Unknown sheet "Leads". Sheets of the workbook: "Notes", "Empty", "Leads & more", "Other".',
    );
    expect(await rejectionOf(workbook, { sheet: 'Empty' })).toBe(
      'list: The sheet "Empty" has no content. Save the workbook again, with its rows. Other sheets, which can be named with --sheet: ' +
        '"Notes", "Leads & more", "Other".',
    );
  });

  test('a workbook of hidden sheets is rejected with their names', async () => {
    const hidden = buildWorkbookFile({ sheets: [{ name: 'A', rows: header, state: 'hidden' }] });
    expect(await rejectionOf(hidden)).toBe(
      'list: All sheets are hidden. Name the sheet to read (--sheet): "A".',
    );
  });
});

describe('forms of workbooks', () => {
  test('the strict form is read', async () => {
    const file = sheetFile(`${header}<row><c t="d"><v>2026-11-25T00:00:00</v></c></row>`, { isStrict: true });
    expect((await readTable(file)).rows).toEqual([['2026-11-25', '']]);
  });

  test('prefixes of elements, other names of parts and UTF-16 make no difference', async () => {
    const parts = workbookParts({ sheets: [{ name: 'S', rows: '' }] }).map((part) => {
      if (part.name === '_rels/.rels')
        return { ...part, content: String(part.content).replace('xl/workbook.xml', '/Book/Main.XML') };
      if (part.name === 'xl/workbook.xml') return { ...part, name: 'book/main.xml' };
      if (part.name === 'xl/_rels/workbook.xml.rels')
        return {
          name: 'book/_rels/main.xml.rels',
          content: String(part.content).replace('worksheets/', '../xl/worksheets/'),
        };
      if (part.name !== 'xl/worksheets/sheet1.xml') return part;
      const xml = `\ufeff<x:worksheet xmlns:x="y"><x:sheetData><x:row><x:c t='str'><x:v>ä</x:v></x:c></x:row></x:sheetData></x:worksheet>`;
      return { ...part, content: Buffer.from(xml, 'utf16le') };
    });
    expect((await readTable(buildZip(parts))).header).toEqual(['ä']);
  });

  test('an archive in the Zip64 form, with stored parts, is read', async () => {
    const parts = workbookParts({ sheets: [{ name: 'S', rows: header }] }).map((part) => ({
      ...part,
      method: 0,
    }));
    expect((await readTable(buildZip(parts, { zip64: true }))).header).toEqual(['company', 'value']);
  });

  test('the digest is that of the file', async () => {
    const file = sheetFile(header);
    const { digest } = await readTable(file);
    expect(digest.bytes).toBe(file.length);
    expect(digest.sha256).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('damaged workbooks are rejected with the place:', () => {
  test.each([
    [
      '<row r="5"/><row r="5"/>',
      'list, sheet "Sheet1", row 6: The sheet is damaged: the row after row 5 has the number "5".',
    ],
    ['<row r="2147483648"/>', 'the row after row 0 has the number "2147483648"'],
    ['<row r="x"/>', 'the row after row 0 has the number "x"'],
    [
      '<row r="1"><c r="B1"/><c r="A1"/></row>',
      'list, sheet "Sheet1", row 1: The sheet is damaged: a cell has the position "A1".',
    ],
    ['<row><c r="XFE1"/></row>', 'a cell has the position "XFE1"'],
    ['<row><c r="ZZZZZZZZZZZZ1"/></row>', 'a cell has the position "ZZZZZZZZZZZZ1"'],
    ['<row><c t="s"><v>7</v></c></row>', 'the cell A1 refers to a text that does not exist'],
    ['<row><c t="s"><v>-1</v></c></row>', 'the cell A1 refers to a text that does not exist'],
    [
      '<row><c></row>',
      'list, sheet "Sheet1": The XML of the workbook is not well-formed: the end tag "row" closes no element.',
    ],
    ['<row><c t="str"><v>&nbsp;</v></c></row>', 'the entity "&nbsp;" is not defined'],
    ['<row><c t="str"><v>&#0;</v></c></row>', 'the entity "&#0;" is not defined'],
  ])('%s', async (rows, message) => {
    const rejection = await rejectionOf(sheetFile(rows));
    expect(rejection).toContain(message);
    expect(rejection).toContain('Open it in Excel or LibreOffice, and save it again.');
  });
});
