import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readCompanies } from '../../../../../src/producer/rows/read-companies.ts';
import { encodeText, readContent, streamOf } from '../../../../support/csv/company-files.ts';

/** Returns the line and the first cell of each row. */
async function starts(content: string): Promise<readonly (readonly [number, string | undefined])[]> {
  const { rows } = await readContent(content);
  return rows.map((row) => [row.lineNo, row.cells[0]] as const);
}

test('the detected form of the file is returned', async () => {
  const { file, table } = await readContent('Website;Company Name;x\nacme.com;Acme;1\n');
  expect(file.form).toEqual({
    encoding: 'utf-8',
    delimiter: ';',
    compressed: false,
    header: ['Website', 'Company Name', 'x'],
    fields: { company_domain: 0, company_name: 1, email: null },
    because: { company_domain: 'name', company_name: 'name', email: null },
    alike: { company_domain: [], company_name: [], email: [] },
    unused: [{ name: 'x', looksLike: 'number', examples: ['1'], couldBe: null, contradicts: null }],
    headerless: false,
    mapped: new Map(),
    operations: ['ads_search'],
  });
  expect(table).toEqual([['acme.com', 'Acme', '1']]);
});

test('a byte order mark does not hide the first column', async () => {
  for (const encoding of ['utf-8', 'utf-16le', 'utf-16be'] as const) {
    const { file, table } = await readContent(encodeText('domain,name\nacme.com,Zoë\n', encoding, true));
    expect(file.form).toMatchObject({ encoding, header: ['domain', 'name'] });
    expect(table).toEqual([['acme.com', 'Zoë']]);
  }
});

test('Windows-1252 is detected, and accepted as an option', async () => {
  const bytes = encodeText('company\nCafé €\n', 'windows-1252');
  expect((await readContent(bytes)).table).toEqual([['Café €']]);
  const polish = Buffer.from([...Buffer.from('company\n'), 0xaf, 0x61, 0x62, 0x6b, 0x61]);
  expect((await readContent(polish, { encoding: 'windows-1250' })).table).toEqual([['Żabka']]);
});

test('line ends of all kinds can be mixed', async () => {
  const { table } = await readContent('domain,name\r\na.com,A\nb.com,B\rc.com,C\r\n"d.com",D\r"e.com","E"');
  expect(table.map((cells) => cells.join())).toEqual(['a.com,A', 'b.com,B', 'c.com,C', 'd.com,D', 'e.com,E']);
});

test('line numbers stay correct after quoted line ends of all kinds', async () => {
  const content = 'name,x\n"a\r\n\r\nb",1\r\nc,2\n"d\n","\r"\r"e\r\n\n",3\nf,4';
  expect(await starts(content)).toEqual([
    [2, 'a\r\n\r\nb'],
    [5, 'c'],
    [6, 'd\n'],
    [9, 'e\r\n\n'],
    [12, 'f'],
  ]);
});

test('blank lines are not rows, but count as lines', async () => {
  const content = '\n\r\nname\n\na\n\r\n\r\n"b\n"\r\rc\n""\n\n';
  expect(await starts(content)).toEqual([
    [5, 'a'],
    [8, 'b\n'],
    [11, 'c'],
    [12, ''],
  ]);
});

test('a sep= line is neither a header nor a row, but counts as a line', async () => {
  const { file, rows } = await readContent('\ufeffsep=|\r\nname|domain\r\nA|a.com\r\n');
  expect(file.form).toMatchObject({ delimiter: '|', header: ['name', 'domain'] });
  expect(rows).toEqual([{ rowNo: 1, lineNo: 3, cells: ['A', 'a.com'], problem: null }]);
});

test('a row with too few or too many fields keeps its cells and has a problem', async () => {
  const { rows } = await readContent(
    'domain,name,city\na.com,A,Rome\nb.com\nc.com,C,Oslo,1,2\n,,\nd.com,D,Bonn\n',
  );
  expect(rows.map((row) => [row.rowNo, row.lineNo, row.cells.length, row.problem])).toEqual([
    [1, 2, 3, null],
    [2, 3, 1, 'too few fields: 1 fields instead of 3, missing "name", "city"'],
    [3, 4, 5, 'too many fields: 5 fields instead of 3'],
    [4, 5, 3, null],
    [5, 6, 3, null],
  ]);
});

test('a NUL becomes visible and makes only its row unusable', async () => {
  const { rows } = await readContent('domain,name\na.com,A\nb.com,B\0\0C\nc.com,C\n', { pieceBytes: 3 });
  expect(rows.map((row) => row.problem)).toEqual([null, 'contains a NUL byte (shown as \u2400)', null]);
  expect(rows[1]?.cells).toEqual(['b.com', 'B\u2400\u2400C']);
});

test.each([5, 1_000])('a lone surrogate makes only its row unusable (chunks of %d)', async (pieceBytes) => {
  const text = 'domain,name\na.com,A\nb.com,"B\n\ud800\n"\n\nc.com,C😀\nd.com,\udc00\0\n';
  const { rows } = await readContent(encodeText(text, 'utf-16le', true), { pieceBytes });
  const surrogate = 'contains a lone UTF-16 surrogate (shown as \ufffd)';
  const both = `contains a NUL byte (shown as \u2400); ${surrogate}`;
  expect(rows.map((row) => row.problem)).toEqual([null, surrogate, null, both]);
  expect(rows.map((row) => row.cells[1])).toEqual(['A', 'B\n\ufffd\n', 'C😀', '\ufffd\u2400']);
});

test('a header with a NUL is rejected', async () => {
  await expect(readContent('dom\0ain\na.com\n')).rejects.toThrow(
    'list.csv, line 1: The header contains a NUL byte',
  );
});

test('rows without a header start with the first line', async () => {
  const { file, rows } = await readContent('Acme,acme.com\0\nBeta,beta.com\n', {
    noHeader: true,
    columns: ['company', 'domain'],
  });
  expect(file.form.fields).toMatchObject({ company_domain: 1, company_name: 0 });
  expect(rows.map((row) => [row.rowNo, row.lineNo, row.problem === null])).toEqual([
    [1, 1, false],
    [2, 2, true],
  ]);
});

test('cells keep blanks, and columns can be named __proto__', async () => {
  const { file, table } = await readContent('__proto__,constructor,company\n a ,"  b", Acme\t\n');
  expect(file.form.header).toEqual(['__proto__', 'constructor', 'company']);
  expect(table).toEqual([[' a ', '  b', ' Acme\t']]);
});

test.each([
  ['an unclosed quote', 'name,x\na,1\n\n"b,2\nc,3\n', 4, 'in this record is never closed'],
  ['text after a closing quote', 'name\na\n"b\n"c\nd\n', 3, 'Double the quotation marks'],
  [
    'a quote within an unquoted field',
    'name\na\nToys "R" Us\n',
    3,
    'An unquoted field contains a quotation mark',
  ],
  [
    'an invalid byte',
    Buffer.from('name\na\r\nb\xe9\n\xc3\xa9\xc3\xa9', 'latin1'),
    3,
    'The byte 0xE9 is not valid',
  ],
])('%s rejects the whole file with line and remedy', async (_, content, lineNo, message) => {
  for (const pieceBytes of [1, 7, 1000]) {
    const reading = readContent(content, { pieceBytes });
    await expect(reading).rejects.toMatchObject({ code: 'validation_error', where: `list.csv:${lineNo}` });
    await expect(reading).rejects.toThrow(message);
  }
});

test.each([
  ['an unclosed quote far from the end', `name\na\n"b${'\nc'.repeat(300_000)}`],
  ['a long cell', `name\na\n${'b'.repeat(70_000)}\nc\n`],
  ['a long row of short cells', `name\na\n${'b,'.repeat(33_000)}\nc\n`],
  ['a row of separators only', `name\na\n${','.repeat(66_000)}\nc\n`],
  ['an endless row of separators', `name\na\n${','.repeat(900_000)}`],
])('%s is rejected as too large', async (_, content) => {
  for (const pieceBytes of [10_007, content.length]) {
    const reading = readContent(content, { pieceBytes, delimiter: ',' });
    await expect(reading).rejects.toMatchObject({ where: 'list.csv:3' });
    await expect(reading).rejects.toThrow('The record that starts here is larger than 64 KiB');
  }
});

test('an error of the header is reported before others', async () => {
  const content = 'foo,bar\n"never closed,2\n';
  await expect(readContent(content)).rejects.toThrow('list.csv, line 1');
});

test('an endless record is rejected long before it fills the memory', async () => {
  let bytesAsked = 0;
  function* separators(): Generator<Buffer> {
    yield Buffer.from('name,b\n');
    for (; bytesAsked < 50_000_000; bytesAsked += 50_000) yield Buffer.alloc(50_000, ',');
  }
  const { rows } = await readCompanies(Readable.from(separators()), { fileName: 'list.csv' });
  await expect(rows[Symbol.asyncIterator]().next()).rejects.toThrow('larger than 64 KiB');
  expect(bytesAsked).toBeLessThan(2_000_000);
});

test('a record just within the limit is read, with blank lines around it', async () => {
  const cell = 'é'.repeat(32 * 1024);
  const { rows } = await readContent(`name\n${'\r\n'.repeat(400_000)}"${cell}"\n`);
  expect(rows).toEqual([{ rowNo: 1, lineNo: 400_002, cells: [cell], problem: null }]);
  await expect(readContent(`name\n${cell}e\n`)).rejects.toThrow('larger than 64 KiB');
});

test('limits on rows, bytes and columns reject the file with the limit', async () => {
  const content = 'name\na\nb\nc\n';
  await expect(readContent(content, { limits: { rowsMax: 3 } })).resolves.toBeDefined();
  const rows = readContent(content, { limits: { rowsMax: 2 } });
  await expect(rows).rejects.toThrow('list.csv, line 4: The file has more than 2 data rows. Split it');
  await expect(readContent(content, { limits: { bytesMax: 11 } })).resolves.toBeDefined();
  await expect(readContent(content, { limits: { bytesMax: 10 } })).rejects.toThrow('larger than 10 bytes');
  await expect(readContent('name,b\na\n', { limits: { columnsMax: 1 } })).rejects.toThrow(
    'at most 1 are allowed',
  );
});

test('gzip is detected by its content, including concatenated members', async () => {
  const members = Buffer.concat([gzipSync('name\nAcme\n'), gzipSync('Beta\n')]);
  for (const pieceBytes of [1, 9, 1000]) {
    const { file, table } = await readContent(members, { pieceBytes });
    expect(file.form.compressed).toBe(true);
    expect(table).toEqual([['Acme'], ['Beta']]);
  }
});

test('damaged gzip data is rejected', async () => {
  const whole = gzipSync(`name\n${'Acme\n'.repeat(1000)}`);
  await expect(readContent(whole.subarray(0, -9))).rejects.toThrow(
    'list.csv: The gzip data is damaged or cut off',
  );
  await expect(readContent(Buffer.from([0x1f, 0x8b, 1, 2, 3, 4]))).rejects.toMatchObject({
    code: 'validation_error',
  });
});

test('gzip data that expands more than 100 times, or beyond the limit, is rejected', async () => {
  const bomb = gzipSync('name\n' + 'a'.repeat(60_000).concat('\n').repeat(100));
  await expect(readContent(bomb)).rejects.toThrow('expands more than 100 times');
  const list = gzipSync(`name\n${'Acme\n'.repeat(1000)}`);
  await expect(readContent(list, { limits: { bytesMax: 5004 } })).rejects.toThrow('larger than 5004 bytes');
});

test('the digest is that of the decompressed content, and available only at the end', async () => {
  const content = Buffer.from('\ufeffname\r\nAcme\r\n');
  const sha256 = createHash('sha256').update(content).digest('hex');
  const plain = await readContent(content, { pieceBytes: 4 });
  const zipped = await readContent(gzipSync(content));
  expect(plain.file.digest()).toEqual({ sha256, bytes: content.length });
  expect(zipped.file.digest()).toEqual({ sha256, bytes: content.length });
  const unread = await readCompanies(streamOf(content), { fileName: 'list.csv' });
  expect(() => unread.digest()).toThrow('once all rows have been read');
});

test('an empty file is rejected, and a header alone is a file without rows', async () => {
  for (const content of ['', '\ufeff', '\n\r\n', gzipSync('')]) {
    await expect(readContent(content)).rejects.toThrow('list.csv: The file is empty');
  }
  expect((await readContent('company,domain')).rows).toEqual([]);
});

test('a file that cannot be opened is rejected with its name', async () => {
  const reading = readCompanies(createReadStream('/nonexistent/list.csv'), { fileName: 'list.csv' });
  await expect(reading).rejects.toThrow(/list\.csv: The file cannot be read: ENOENT/);
});

test('the input is closed when the file is rejected, read to its end, or left early', async () => {
  const options = { fileName: 'list.csv' };
  const rejected = streamOf('foo,bar\n1,2\n');
  await expect(readCompanies(rejected, options)).rejects.toThrow();
  const read = streamOf('name\na\n');
  for await (const block of (await readCompanies(read, options)).rows) expect(block).toHaveLength(1);
  const left = streamOf(`name\n${'a\n'.repeat(500_000)}`, 50_000);
  for await (const block of (await readCompanies(left, options)).rows) {
    expect(block.length).toBeGreaterThan(0);
    break;
  }
  expect([rejected.destroyed, read.destroyed, left.destroyed]).toEqual([true, true, true]);
});

test('blocks of large rows are smaller', async () => {
  const content = `name\n${Array.from({ length: 1000 }, (_, index) => `${index}${'x'.repeat(10_000)}\n`).join('')}`;
  const file = await readCompanies(streamOf(content), { fileName: 'list.csv' });
  const sizes: number[] = [];
  for await (const block of file.rows) sizes.push(block.length);
  expect(Math.max(...sizes)).toBeLessThan(410);
  expect(sizes.reduce((sum, size) => sum + size)).toBe(1000);
});

test('rows are returned in order, in blocks of a few thousand', async () => {
  const content = `name\n${Array.from({ length: 16_500 }, (_, index) => `n${index}\n`).join('')}`;
  const file = await readCompanies(streamOf(content), { fileName: 'list.csv' });
  const sizes: number[] = [];
  const names: (string | undefined)[] = [];
  for await (const block of file.rows) {
    sizes.push(block.length);
    names.push(...block.map((row) => row.cells[0]));
  }
  expect(Math.max(...sizes)).toBeLessThanOrEqual(2_000);
  expect(sizes.length).toBeLessThanOrEqual(10);
  expect(names).toEqual(Array.from({ length: 16_500 }, (_, index) => `n${index}`));
});

test('the encoding is detected from the same part of a file for any chunking', async () => {
  const late = Buffer.concat([
    Buffer.from(`company\n${'a\n'.repeat(131_068)}`),
    Buffer.from('c\xe9\n', 'latin1'),
  ]);
  const read = (pieceBytes: number) =>
    readContent(late, { pieceBytes }).then(
      ({ rows }) => rows.length,
      (error: unknown) => String(error),
    );
  expect(await read(60_000)).toBe(await read(65_536));
});

test('a first line that resembles the lines below is data, not a header', async () => {
  const { file, rows } = await readContent('Acme;acme.com\nBeta;beta.com\nGamma;gamma.com\n');
  expect(file.form).toMatchObject({
    headerless: true,
    header: ['column_1', 'column_2'],
    fields: { company_domain: 1, company_name: null, email: null },
    because: { company_domain: 'values' },
  });
  expect(rows.map(({ rowNo, lineNo }) => [rowNo, lineNo])).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
  ]);
});

test('a first line with a known column name is a header even if other cells look like data', async () => {
  await expect(readContent('Firma;acme.com\nBeta;beta.com\nGamma;gamma.com\n')).rejects.toThrow(/no header/);
});

test('an error of a row is reported after an error of the header', async () => {
  await expect(readContent('foo,bar\n1,2\n"never closed\n')).rejects.toThrow(
    /No column for a company or an e-mail address was found/,
  );
  await expect(readContent('Firma,bar\nAcme,2\n"never closed\n')).rejects.toThrow(/line 3/);
});
