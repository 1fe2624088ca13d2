import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
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
    format: 'csv',
    sheet: null,
    sheets: [],
    containers: [],
    encoding: 'utf-8',
    delimiter: ';',
    quote: '"',
    escape: '"',
    linesAbove: 0,
    header: ['Website', 'Company Name', 'x'],
    fields: { company_domain: 0, company_name: 1, email: null },
    because: { company_domain: 'name', company_name: 'name', email: null },
    alike: { company_domain: [], company_name: [], email: [] },
    unused: [{ name: 'x', looksLike: 'number', examples: ['1'], couldBe: null, contradicts: null }],
    headerless: false,
    mapped: new Map(),
    operations: ['ads_search'],
    findings: [],
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
  ]);
});

test('a sep= line is neither a header nor a row, but counts as a line', async () => {
  const { file, rows } = await readContent('\ufeffsep=|\r\nname|domain\r\nA|a.com\r\n');
  expect(file.form).toMatchObject({ delimiter: '|', header: ['name', 'domain'] });
  expect(rows).toEqual([{ rowNo: 1, lineNo: 3, cells: ['A', 'a.com'], problem: null, warning: null }]);
});

describe('row with another number of cells than the header', () => {
  const read = async (...lines: readonly string[]) => {
    const { rows } = await readContent(`domain,name,city\n${lines.join('\n')}\n`);
    return rows.map(({ cells, problem, warning }) => [cells.join('|'), problem ?? warning]);
  };
  const whole = ['a.com,A,Rome', 'b.com,B,Bonn', 'c.com,C,Oslo'];
  const wholeRows = whole.map((line) => [line.replaceAll(',', '|'), null]);

  test('keeps its cells and has a problem', async () => {
    expect(await read(...whole, 'd.com', 'e.com,E,Oslo,1,2', 'f,F')).toEqual([
      ...wholeRows,
      ['d.com', 'too few fields: 1 fields instead of 3, missing "name", "city"'],
      ['e.com|E|Oslo|1|2', 'too many fields: 5 fields instead of 3'],
      ['f|F', 'too few fields: 2 fields instead of 3, missing "city"'],
    ]);
  });

  test('has a warning where cells are missing at its end and its domain is one', async () => {
    expect(await read(...whole, 'd.com,D')).toEqual([
      ...wholeRows,
      ['d.com|D', 'too few fields: 2 fields instead of 3, missing "city", read as empty'],
    ]);
  });

  test('has a warning where its further cells are empty', async () => {
    expect(await read(...whole, 'd.com,D,Rome,, ')).toEqual([
      ...wholeRows,
      ['d.com|D|Rome', 'empty cells beyond the header (5 instead of 3): check that none has moved'],
    ]);
  });

  test('has neither where all rows end in the same number of empty cells', async () => {
    expect(await read(...whole.map((line) => `${line},`), 'd.com,D,Rome')).toEqual([
      ...wholeRows,
      ['d.com|D|Rome', 'fewer cells than most rows: check that none is missing'],
    ]);
  });
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
    'list.csv, line 1: The header cannot be used: contains a NUL byte',
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
  ['an unclosed quote', 'name,x\na,1\n\n"b,2,3\nc,3\n', 4, 'a quotation mark is never closed'],
  ['text after a closing quote', 'name,x\na,1\n"b"c,2,3\nd,4\n', 3, 'a misplaced quotation mark'],
  ['an invalid byte', Buffer.from('name\na\r\nb\xe9\n\xc3\xa9\xc3\xa9', 'latin1'), 3, 'the byte 0xE9'],
])('%s makes only its row unusable', async (_, content, lineNo, message) => {
  for (const pieceBytes of [1, 7, 1000]) {
    const { rows } = await readContent(content, { pieceBytes });
    const unusable = rows.filter(({ problem }) => problem !== null);
    expect(unusable).toMatchObject([{ lineNo, problem: expect.stringContaining(message) as string }]);
    expect(rows.length).toBeGreaterThan(1);
  }
});

test('a row with misplaced quotes that are text gets a warning', async () => {
  const { rows } = await readContent('name,x\na,1\nToys "R" Us,2\n');
  expect(rows[1]).toMatchObject({
    cells: ['Toys "R" Us', '2'],
    problem: null,
    warning: 'misplaced quotation marks were read as text',
  });
});

describe('strict reading', () => {
  const strict = { strict: true };

  test('rejects a file with a mistake, naming its line', async () => {
    for (const pieceBytes of [1, 7, 1000]) {
      const reading = readContent('name,x\na,1\nToys "R" Us,2\n', { ...strict, pieceBytes });
      await expect(reading).rejects.toMatchObject({ code: 'validation_error', where: 'list.csv:3' });
      await expect(reading).rejects.toThrow(
        'line 3: The record is not well-formed: a misplaced quotation mark',
      );
    }
  });

  test('lists the first twenty mistakes', async () => {
    const lines = Array.from({ length: 3_000 }, (_, index) => `a "${index}",1\n`).join('');
    const reading = readContent(`name,x\n${lines}`, strict);
    await expect(reading).rejects.toThrow(
      /Its first mistakes:(?:\n {2}line \d+: a misplaced quotation mark[^\n]*){20}$/,
    );
  });

  test.each([
    ['a column without a name', 'name,\na,1\n', 'Column 2 has no name'],
    ['a repeated name', 'name,x,x\na,1,2\n', 'both named "x"'],
    ['an invalid byte', Buffer.from('name\na\r\nb\xe9\n\xc3\xa9\xc3\xa9', 'latin1'), '0xE9'],
  ])('rejects %s', async (_, content, message) => {
    await expect(readContent(content, strict)).rejects.toThrow(message);
  });

  test('accepts a well-formed file, and rejects rows of another width', async () => {
    const { rows } = await readContent('domain,x\na.com,"1\n2"\nb.com\nc.com,1,\n', strict);
    expect(rows.map(({ problem }) => problem?.slice(0, 8) ?? null)).toEqual([null, 'too few ', 'too many']);
  });
});

test.each([
  ['a long cell', `name\na\n${'b'.repeat(1_100_000)}\nc\n`],
  ['a long row of short cells', `name\na\n${'b,'.repeat(600_000)}\nc\n`],
  ['a row of separators only', `name\na\n${','.repeat(1_050_000)}\nc\n`],
  ['an endless row of separators', `name\na\n${','.repeat(3_000_000)}`],
])('%s is rejected as too large', async (_, content) => {
  for (const pieceBytes of [100_007, content.length]) {
    const reading = readContent(content, { pieceBytes, delimiter: ',' });
    await expect(reading).rejects.toMatchObject({ where: 'list.csv:3' });
    await expect(reading).rejects.toThrow('The record that starts here is larger than 1024 KiB');
  }
});

test('an unclosed quote far from the end costs one row', async () => {
  const { rows } = await readContent(`name\na\n"b${'\nc'.repeat(1_200_000)}`, {
    limits: { rowsMax: 2_000_000 },
  });
  expect(rows).toHaveLength(1_200_002);
  expect(rows.filter(({ warning }) => warning !== null)).toMatchObject([{ lineNo: 3, cells: ['"b'] }]);
});

test('an endless record is rejected long before it fills the memory', async () => {
  let bytesAsked = 0;
  function* separators(): Generator<Buffer> {
    yield Buffer.from('name,b\n');
    for (; bytesAsked < 50_000_000; bytesAsked += 50_000) yield Buffer.alloc(50_000, ',');
  }
  const { rows } = await readCompanies(Readable.from(separators()), { fileName: 'list.csv' });
  await expect(rows[Symbol.asyncIterator]().next()).rejects.toThrow('larger than 1024 KiB');
  expect(bytesAsked).toBeLessThan(4_000_000);
});

test('a record just within the limit is read, with blank lines around it', async () => {
  const cell = 'é'.repeat(512 * 1024);
  const { rows } = await readContent(`name\n${'\r\n'.repeat(400_000)}"${cell}"\n`);
  expect(rows).toEqual([{ rowNo: 1, lineNo: 400_002, cells: [cell], problem: null, warning: null }]);
  await expect(readContent(`name\n${cell}e\n`)).rejects.toThrow('larger than 1024 KiB');
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
    expect(file.form.containers).toEqual(['gzip']);
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

test('rows are returned in order, in blocks of a few hundred', async () => {
  const content = `name\n${Array.from({ length: 16_500 }, (_, index) => `n${index}\n`).join('')}`;
  const file = await readCompanies(streamOf(content), { fileName: 'list.csv' });
  const sizes: number[] = [];
  const names: (string | undefined)[] = [];
  for await (const block of file.rows) {
    sizes.push(block.length);
    names.push(...block.map((row) => row.cells[0]));
  }
  expect(Math.max(...sizes)).toBeLessThanOrEqual(256);
  expect(sizes.length).toBeLessThanOrEqual(70);
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
  const long = 'x'.repeat(3_000_000);
  await expect(readContent(`foo,bar\n1,2\n${long}`)).rejects.toThrow(
    /No column for a company or an e-mail address was found/,
  );
  await expect(readContent(`Firma,bar\nAcme,2\n${long}`)).rejects.toThrow(/line 3/);
});

describe('lines above the header', () => {
  const table = 'Company,Website,City\nNike,nike.com,Berlin\nPuma,puma.com,Ulm\nFila,fila.com,Seoul\n';

  test.each([
    ['a title and a blank line', 'List of exhibitors 2024\n\n', 2],
    ['a title with empty cells', 'List of exhibitors 2024,,\n', 1],
    ['notes with quoted line ends', 'Notes:\n"When you read\nthis, ""wait"""\n\n', 4],
    ['a sep= line and a title', 'sep=,\nExhibitors\n', 1],
  ])('are left out: %s', async (_what, above, linesAbove) => {
    const { file, rows } = await readContent(above + table);
    expect(file.form).toMatchObject({ linesAbove, header: ['Company', 'Website', 'City'] });
    const lines = above.split('\n').length - 1;
    expect(rows.map(({ lineNo }) => lineNo)).toEqual([2, 3, 4].map((lineNo) => lineNo + lines));
  });

  test('are as many as the user says, in any chunks', async () => {
    const content = `a,b\r\nc,d\r\n${table}`;
    for (const pieceBytes of [1, 2, 5, 1_000]) {
      const { file, rows } = await readContent(content, { skipLines: 2, pieceBytes });
      expect([file.form.header[0], rows[0]?.lineNo]).toEqual(['Company', 4]);
    }
    expect(
      (await readContent(content, { skipLines: 3, noHeader: true, map: { company_domain: '2' } })).rows,
    ).toHaveLength(3);
  });
});

describe('file without a header', () => {
  test.each([
    ['one column of domains', 'nike.com\npuma.com\n', ['column_1'], 0],
    ['one row with one domain', 'Nike,nike.com\n', ['column_1', 'column_2'], 1],
  ])('is read with numbered columns and a finding: %s', async (_what, content, header, company_domain) => {
    const { file } = await readContent(content);
    expect(file.form).toMatchObject({ headerless: true, header, fields: { company_domain } });
    expect(file.form.findings).toMatchObject([expect.stringContaining('--no-header --columns') as string]);
  });

  test('has no finding if the user accepts it', async () => {
    expect((await readContent('nike.com\npuma.com\n', { noHeader: true })).file.form.findings).toEqual([]);
  });
});

test('a file in which only addresses are recognised has a finding with its other columns', async () => {
  const content = 'Zeichen;Ort;Email\nAnker;Ulm;a@b.com\nBoje;Hof;c@d.com\nKran;Ulm;e@f.com\n';
  expect((await readContent(content)).file.form.findings).toMatchObject([
    expect.stringContaining('No company column among: "Zeichen", "Ort".') as string,
  ]);
  for (const options of [{ map: { company_name: '' } }, { operations: ['email_validation'] as const }])
    expect((await readContent(content, options)).file.form.findings).toEqual([]);
});

test('columns beyond the last name that are empty throughout are left out', async () => {
  const { file, rows } = await readContent('name;domain;;\nA;a.com;;\nB;b.com;;\nC;c.com;;x\n', {
    delimiter: ';',
  });
  expect(file.form.header).toEqual(['name', 'domain', 'column_3', 'column_4']);
  const empty = await readContent('name;domain;;\nA;a.com;;\nB;b.com;;\n');
  expect(empty.file.form.header).toEqual(['name', 'domain']);
  expect(empty.rows.map(({ cells, warning }) => [cells, warning])).toEqual([
    [['A', 'a.com'], null],
    [['B', 'b.com'], null],
  ]);
  expect(rows).toHaveLength(3);
});

test.each(['cp850', 'CP437', 'ibm850'])('text of MS-DOS is read as %s', async (encoding) => {
  const bytes = Buffer.from([...Buffer.from('company\nM'), 0x81, ...Buffer.from('ller\n')]);
  expect((await readContent(bytes, { encoding })).table).toEqual([['Müller']]);
});
