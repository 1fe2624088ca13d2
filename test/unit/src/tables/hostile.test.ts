import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { sheetFile, textRow, workbookParts } from '../../../support/tables/build-workbook.ts';
import { buildZip } from '../../../support/tables/build-zip.ts';
import { readTable, rejectionOf, type ReadListOptions } from '../../../support/tables/read-list.ts';

const mebibyte = 1024 * 1024;

/** Most time for a hostile file on a busy machine. */
const msMax = 100_000;
/** Most memory that a rejection may add, besides the file itself. */
const growthMax = 250 * mebibyte;

/** Returns the rejection of a file, which must come in bounded time and memory. */
async function boundedRejection(file: Buffer | string, options?: ReadListOptions): Promise<string> {
  const before = process.memoryUsage().rss;
  const start = performance.now();
  const message = await rejectionOf(file, options);
  expect(performance.now() - start).toBeLessThan(msMax);
  expect(process.memoryUsage().rss - before).toBeLessThan(growthMax);
  return message;
}

const workbookWith = (name: string, content: string | Uint8Array) =>
  buildZip(
    workbookParts({ sheets: [{ name: 'S', rows: textRow('a') }] }).map((part) =>
      part.name === name ? { name, content } : part,
    ),
  );

const zeros = Buffer.alloc(300 * mebibyte);

describe('decompression bombs', () => {
  test('a list of an archive that expands too much is rejected', async () => {
    expect(
      await boundedRejection(buildZip([{ name: 'a.csv', content: zeros.subarray(0, 100 * mebibyte) }])),
    ).toBe(
      'list: The file "a.csv" in it expands more than 200 times, which is not plausible for a list. If it is correct, save it as CSV (UTF-8).',
    );
  });

  test.each([
    'xl/workbook.xml',
    'xl/styles.xml',
    'xl/sharedStrings.xml',
    'xl/worksheets/sheet1.xml',
    '_rels/.rels',
  ])('the part %s of a workbook that expands too much is rejected', async (name) => {
    const spaces = Buffer.alloc(100 * mebibyte, ' ');
    expect(
      await boundedRejection(workbookWith(name, Buffer.concat([Buffer.from('<a b="'), spaces]))),
    ).toMatch(
      /expands more than 200 times|is larger than 16 MiB when decompressed|a tag or a text is too long/,
    );
  });

  test('a text that grows within its limits of expansion ends at the absolute limit', async () => {
    const line = Buffer.from(`${'abcdefghijklmnopqrstuvwxyz0123456789'.repeat(3)},x\n`);
    const file = buildZip([
      { name: 'a.csv', content: Buffer.concat(new Array<Buffer>(20_000).fill(line)), method: 0 },
    ]);
    expect(await boundedRejection(file, { limits: { bytesMax: mebibyte } })).toBe(
      'list: The file is larger than 1 MiB when decompressed. Split it into smaller files.',
    );
  });

  test('gzip is rejected before it fills the disk', async () => {
    expect(await boundedRejection(gzipSync(zeros))).toMatch(/expands more than 100 times/);
  });
});

describe('workbooks', () => {
  test('shared texts that repeat a large text in many cells end at the limit of the text', async () => {
    const text = 'x'.repeat(32_767);
    const rows = textRow('a', 'b') + '<row><c t="s"><v>0</v></c><c t="s"><v>0</v></c></row>'.repeat(10_000);
    expect(await boundedRejection(sheetFile(rows, { texts: [`<t>${text}</t>`] }))).toMatch(
      /^list, sheet "Sheet1", row [0-9]+: The text of the cells is larger than 200 MiB\. Split the file into smaller files\.$/,
    );
  });

  test('ten million cells are read in bounded time, or rejected', async () => {
    const cells = '<c><v>1</v></c>'.repeat(1_000);
    const rows = Buffer.from(`<row>${cells}</row>`.repeat(10_000));
    const xml = Buffer.concat([
      Buffer.from('<worksheet><sheetData>'),
      rows,
      Buffer.from('</sheetData></worksheet>'),
    ]);
    expect(await boundedRejection(workbookWith('xl/worksheets/sheet1.xml', xml))).toMatch(
      /expands more than 200 times/,
    );
  });

  test('100,000 sheets are rejected', async () => {
    const parts = workbookParts({ sheets: [{ name: 'S', rows: textRow('a') }] });
    const sheets = Array.from({ length: 100_000 }, (_, index) => ({
      name: `xl/worksheets/sheet${index + 2}.xml`,
      content: '',
      method: 0,
    }));
    expect(await boundedRejection(buildZip([...parts, ...sheets], { zip64: true }))).toBe(
      'list: The ZIP archive contains more than 10000 files, which is not plausible for a list. Save the list as CSV (UTF-8).',
    );
  });

  test('long names of many files are rejected', async () => {
    const parts = Array.from({ length: 100 }, (_, index) => ({
      name: `${index}${'x'.repeat(60_000)}`,
      content: '',
    }));
    expect(await boundedRejection(buildZip(parts))).toMatch(
      /^list: The ZIP archive contains more than 10000 files/,
    );
  });

  test('a list of names in an error is short, and has no control characters', async () => {
    const parts = Array.from({ length: 5_000 }, (_, index) => ({
      name: `${index}\u001b[31m${'x'.repeat(500)}`,
      content: '',
    }));
    const message = await boundedRejection(buildZip(parts));
    expect(message.length).toBeLessThan(2_000);
    expect(message).toContain('and 4990 more');
    expect(message).not.toMatch(/\p{Cc}/u);
  });

  test.each([
    ['a document type', '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><worksheet>&b;</worksheet>'],
    ['an external entity', '<!DOCTYPE x SYSTEM "file:///etc/passwd"><worksheet/>'],
  ])('%s in the XML is rejected', async (_, xml) => {
    expect(await boundedRejection(workbookWith('xl/worksheets/sheet1.xml', xml))).toBe(
      'list, sheet "S": The XML of the workbook is not well-formed: it has a document type declaration, which no spreadsheet program writes. ' +
        'Open it in Excel or LibreOffice, and save it again.',
    );
  });

  test('parts outside of the archive are never read', async () => {
    const parts = workbookParts({ sheets: [{ name: 'S', rows: textRow('a') }] }).map((part) =>
      part.name === 'xl/_rels/workbook.xml.rels'
        ? {
            ...part,
            content: String(part.content).replace('worksheets/sheet1.xml', '../../../../../etc/passwd'),
          }
        : part,
    );
    expect(await boundedRejection(buildZip(parts))).toBe(
      'list: The workbook has no sheet with cells. Save the list as CSV (UTF-8) or as a new workbook.',
    );
  });

  test('a record beyond its limit, and one with too many columns, are rejected with the row', async () => {
    expect(
      await boundedRejection(sheetFile(textRow('a') + textRow('x'.repeat(30_000))), {
        limits: { recordBytesMax: 16_384 },
      }),
    ).toBe('list, sheet "Sheet1", row 2: The row is larger than 16 KiB. Shorten it.');
    expect(await boundedRejection(sheetFile(textRow(...new Array<string>(2_001).fill('x'))))).toBe(
      'list, sheet "Sheet1", row 1: The row has 2001 columns; the limit is 2000. Remove columns that are not needed.',
    );
  });

  test('more rows than allowed are rejected with the row', async () => {
    expect(await boundedRejection(sheetFile(textRow('a').repeat(7)), { limits: { rowsMax: 5 } })).toBe(
      'list, sheet "Sheet1", row 7: The file has more than 5 rows. Split it into smaller files.',
    );
  });
});

describe('JSON', () => {
  test('a value that is nested deep is a rejected record, in an array and on a line', async () => {
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    for (const file of [`[${deep},{"a":1}]`, `${deep}\n{"a":1}\n{"a":2}`]) {
      const { records } = await readTable(file);
      expect(records[1]).toMatchObject({ problem: 'is nested deeper than 100' });
      expect(records[1]?.cells[0]?.length).toBe(1_000);
      expect(records[2]).toMatchObject({ cells: ['1'], problem: null });
    }
  });

  test.each([
    ['brackets without an end', '['.repeat(20 * mebibyte)],
    ['a text without an end', `["${'x'.repeat(20 * mebibyte)}`],
    ['a line without an end', `{"a":1}\n{"a":"${'x'.repeat(20 * mebibyte)}`],
  ])('%s are rejected at the limit of a value', async (_, file) => {
    expect(await boundedRejection(file)).toMatch(
      /^list, line [12]: The JSON value that starts here is larger than 8388608 bytes\. Remove nested data that is not needed\.$/,
    );
  });

  test('more keys than columns allowed are rejected with the line', async () => {
    const lines = Array.from({ length: 3_000 }, (_, index) => `{"k${index}":1}`);
    expect(await boundedRejection(lines.join('\n'))).toBe(
      'list, line 2001: The objects so far have 2001 different keys; the limit is 2000 columns. Remove keys that are not needed.',
    );
  });
});

describe('Parquet', () => {
  const file = () =>
    Buffer.from(
      parquetWriteBuffer({
        columnData: [{ name: 'a', data: new Array<string>(1_000).fill('x'), type: 'STRING' }],
        codec: 'UNCOMPRESSED',
      }),
    );

  test('a run that claims a billion values is rejected', async () => {
    const bytes = file();
    // The levels of a page of 1,000 values are one run: its header, 1,000 values, has two bytes.
    const run = Buffer.from([0xd0, 0x0f]);
    const at = bytes.indexOf(run);
    expect(at).toBeGreaterThan(0);
    const huge = Buffer.from([0xfe, 0xff, 0xff, 0xff, 0x07]);
    huge.copy(bytes, at);
    expect(await boundedRejection(bytes)).toMatch(
      /^list, rows 1 to 1000: The Parquet data is damaged or too large: .*\. Write the file again, with smaller row groups\.$/,
    );
  });

  test('a description of endless integers is rejected', async () => {
    const footer = Buffer.alloc(2 * mebibyte, 0xff);
    footer[0] = 0x16;
    const length = Buffer.alloc(4);
    length.writeUInt32LE(footer.length);
    expect(
      await boundedRejection(Buffer.concat([Buffer.from('PAR1'), footer, length, Buffer.from('PAR1')])),
    ).toBe(
      'list: The Parquet data is damaged or cut off. Copy or download the file again, or write it again.',
    );
  });
});
