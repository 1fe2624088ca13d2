import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unescapeFormula } from '../../../../../src/reporter/formats/escape-formula.ts';
import { createCsvWriter, excelForm } from '../../../../../src/reporter/formats/csv.ts';
import type { CsvOptions } from '../../../../../src/reporter/formats/csv.ts';
import type { Cell } from '../../../../../src/reporter/formats/report-row.ts';
import { nastyCell } from '../cells.ts';

type Lines = readonly (readonly Cell[])[];

function csvOf(header: readonly string[], lines: Lines, options?: CsvOptions): string {
  const writer = createCsvWriter(
    header.map((name) => ({ name, own: true })),
    options,
  );
  return writer.head + writer.block(lines) + writer.tail;
}

/** Reads with the strict settings of another CSV library. */
function read(text: string, lineEnd = '\n'): string[][] {
  return parse(text, { bom: true, record_delimiter: lineEnd, skip_empty_lines: true });
}

test('CSV has a header and a line per row, each with LF', () => {
  expect(csvOf(['a', 'b'], [['1', 'x']])).toBe('a,b\n1,x\n');
  expect(csvOf(['a', 'b'], [])).toBe('a,b\n');
});

test('CSV quotes only fields that need it', () => {
  const cells = ['a b', "it's", 'a;b', 'a,b', 'say "hi"', 'a\nb', 'a\rb', ' a', 'a ', '\u00a0a', ''];
  expect(
    csvOf(
      ['h'],
      cells.map((cell) => [cell]),
    ),
  ).toBe('h\na b\nit\'s\na;b\n"a,b"\n"say ""hi"""\n"a\nb"\n"a\rb"\n" a"\n"a "\n"\u00a0a"\n""\n');
});

test.each([';', '\t', '|'] as const)(
  'CSV with the delimiter %j is read back, and a comma needs no quotes',
  (delimiter) => {
    const cells = ['a,b', 'a;b', 'a\tb', 'a|b', 'say "hi"', 'a\nb', ''];
    const text = csvOf(['a', 'b'], [cells.slice(0, 2), ...cells.map((cell) => ['x', cell])], { delimiter });
    expect(text).toContain(`a,b${delimiter}`);
    expect(parse(text, { delimiter })).toEqual([
      ['a', 'b'],
      cells.slice(0, 2),
      ...cells.map((cell) => ['x', cell]),
    ]);
  },
);

test('CSV begins with a byte order mark only if wanted', () => {
  expect(csvOf(['a'], [['1']], { bom: true })).toBe('\ufeffa\n1\n');
  expect(csvOf(['a'], [['1']])).toBe('a\n1\n');
});

test('CSV has numbers and booleans unchanged, and an empty field for null', () => {
  expect(csvOf(['a', 'b', 'c', 'd'], [[-0.2, 1e-7, true, null]])).toBe('a,b,c,d\n-0.2,1e-7,true,\n');
});

test('CSV escapes formulas in cells and in the header', () => {
  expect(csvOf(['=h'], [['=1,2'], ['-5']])).toBe('\'=h\n"\'=1,2"\n-5\n');
});

test('CSV with the raw option has every cell unchanged', () => {
  expect(csvOf(['=h'], [['=1'], ["'=1"]], { raw: true })).toBe("=h\n=1\n'=1\n");
});

test('CSV can have CRLF line ends as in RFC 4180', () => {
  expect(csvOf(['a'], [['x'], ['y']], { lineEnd: '\r\n' })).toBe('a\r\nx\r\ny\r\n');
});

test('CSV quotes a byte order mark in the first name', () => {
  expect(read(csvOf(['\ufeffdomain'], []))).toEqual([['\ufeffdomain']]);
});

test('CSV rejects a line with a wrong number of cells', () => {
  expect(() => csvOf(['a', 'b'], [['x']])).toThrow('one cell per column');
  expect(() => csvOf(['a'], [['x', 'y']])).toThrow('one cell per column');
});

const table = fc
  .integer({ min: 1, max: 3 })
  .chain((width) =>
    fc.array(fc.array(nastyCell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 3 }),
  );

test('CSV of 20,000 random tables is read back unchanged after unescaping formulas', () => {
  const property = fc.property(table, ([header = [], ...lines]) => {
    expect(read(csvOf(header, lines)).map((cells) => cells.map(unescapeFormula))).toEqual([header, ...lines]);
  });
  fc.assert(property, { numRuns: 20_000 });
});

test('CSV with the raw option is read back unchanged with either line end', () => {
  const property = fc.property(table, fc.constantFrom('\n', '\r\n'), ([header = [], ...lines], lineEnd) => {
    expect(read(csvOf(header, lines, { raw: true, lineEnd }), lineEnd)).toEqual([header, ...lines]);
  });
  fc.assert(property, { numRuns: 5_000 });
});

test('CSV for Excel has the delimiter of the input, a byte order mark, and with ; decimal commas', () => {
  const lines = [['Müller', 0.2, 1234, -1.5, true, null]] as const;
  const text = (delimiter: string | null) =>
    csvOf(['a', 'b', 'c', 'd', 'e', 'f'], lines, excelForm(delimiter));
  expect(text(';')).toBe('\ufeffa;b;c;d;e;f\nMüller;0,2;1234;-1,5;true;\n');
  expect(text('\t')).toBe('\ufeffa\tb\tc\td\te\tf\nMüller\t0.2\t1234\t-1.5\ttrue\t\n');
  for (const delimiter of [',', null, '::', '^'])
    expect(text(delimiter)).toBe('\ufeffa,b,c,d,e,f\nMüller,0.2,1234,-1.5,true,\n');
});

test('CSV quotes a decimal comma between commas', () => {
  expect(csvOf(['a', 'b'], [[0.5, 1]], { decimal: ',' })).toBe('a,b\n"0,5",1\n');
});
