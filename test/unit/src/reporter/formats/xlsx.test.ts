import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { ValidationError } from '../../../../../src/core/errors.ts';
import { createXlsxEncoder } from '../../../../../src/reporter/formats/xlsx.ts';
import type { Cell, ReportColumn } from '../../../../../src/reporter/formats/report-row.ts';
import { randomRuns } from '../../../../support/faults/random-runs.ts';
import { readXlsx } from '../../../../support/reports/read-xlsx.ts';
import { readZip } from '../../../../support/reports/read-zip.ts';
import { columnOf, nastyCell, randomReport } from '../cells.ts';

afterEach(() => void vi.useRealTimers());

type Lines = readonly (readonly Cell[])[];

async function* blocksOf(...blocks: readonly Lines[]): AsyncGenerator<Lines> {
  yield* blocks;
}

async function bytesOf(columns: readonly ReportColumn[], ...blocks: readonly Lines[]): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of createXlsxEncoder(columns, undefined)(blocksOf(...blocks))) parts.push(part);
  return Buffer.concat(parts);
}

async function linesOf(columns: readonly ReportColumn[], ...blocks: readonly Lines[]) {
  return readXlsx(await bytesOf(columns, ...blocks)).lines;
}

const kinds = ['text', 'count', 'credits', 'flag', 'day', 'moment'] as const;
const everyKind = kinds.map((kind) => ({ name: kind, own: false, kind }));

test('numbers, booleans, days and times have their own types, and the rest is text', async () => {
  const line = ['007', 7, 0.2, true, '2026-02-28', '2026-03-01T04:05:06.789Z'];
  const { rows, lines } = readXlsx(await bytesOf(everyKind, [line]));
  expect(rows[1]?.map(({ value }) => typeof value)).toEqual([
    'string',
    'number',
    'number',
    'boolean',
    'number',
    'number',
  ]);
  expect(rows[1]?.map(({ format }) => format)).toEqual([
    null,
    null,
    null,
    null,
    'yyyy-mm-dd',
    'yyyy-mm-dd hh:mm:ss.000',
  ]);
  expect(lines).toEqual([line]);
});

test('the header is bold and frozen, and columns have a suitable width', async () => {
  const columns = [columnOf('a'), columnOf('x'.repeat(99)), { name: 'at', own: false, kind: 'moment' }];
  const { rows, names, frozenRows, widths } = readXlsx(
    await bytesOf(columns as readonly ReportColumn[], [['b', 'c', null]]),
  );
  expect(names).toEqual(['a', 'x'.repeat(99), 'at']);
  expect(rows.map((row) => row[0]?.isBold)).toEqual([true, false]);
  expect(frozenRows).toBe(1);
  expect(widths).toEqual([16, 40, 24]);
});

test('a report without lines is a sheet with a header', async () => {
  const { names, lines } = readXlsx(await bytesOf([columnOf('a'), columnOf('b')]));
  expect([names, lines]).toEqual([['a', 'b'], []]);
});

test('a header with repeated or empty names stays unchanged', async () => {
  const { rows } = readXlsx(await bytesOf(['a', '', 'a'].map(columnOf), [['1', '2', '3']]));
  expect(rows[0]?.map(({ value }) => value)).toEqual(['a', null, 'a']);
});

test('a workbook contains no formula, and text that looks like one is formatted as text', async () => {
  const formulas = ['=1+1', '+cmd|calc', '-2+3', '@SUM(A1)', ' =1+1', '＝1+1', '=HYPERLINK("http://x","y")'];
  const columns = ['=HYPERLINK("http://x")', 'b'].map(columnOf);
  const workbook = await bytesOf(
    columns,
    formulas.map((formula) => [formula, 'plain']),
  );
  const { rows, lines, names, files } = readXlsx(workbook);
  expect(lines).toEqual(formulas.map((formula) => [formula, 'plain']));
  expect(names[0]).toBe('=HYPERLINK("http://x")');
  expect(rows.slice(1).map((row) => row.map(({ format }) => format))).toEqual(
    formulas.map(() => ['@', null]),
  );
  expect(files.get('xl/worksheets/sheet1.xml')).not.toMatch(/<f[ >/]|t="str"|t="e"/);
  expect([...files.keys()].filter((name) => /external|vba|connection|ddeLink/i.test(name))).toEqual([]);
});

test.each([
  ['control characters', 'a\u0000b\u0001c\u000bd\u001fe\u007ff\u0085g\u009fh'],
  ['line ends of every kind', 'a\rb\r\nc\nd\te'],
  ['text that looks like an escape', '_x000D_ and _x005F_x000D_ and _x0041_x0042_ and _x00e9_'],
  ['half an escape before a control character', '_x0041\u0001 _x00\u0001'],
  ['noncharacters', '\ufdd0\ufffd\ufffe\uffff\u{1fffe}\u{10ffff}'],
  ['markup', '<b>&amp;</b> ]]> "q" \'s\''],
  ['outer spaces', '  a  '],
  ['the property name constructor', 'constructor'],
  ['the property name __proto__', '__proto__'],
  ['the property name toString', 'toString'],
  ['emoji and scripts', '😀 Ünïcödé 漢字 עברית'],
])('%s are read back unchanged', async (_what, text) => {
  expect(await linesOf([columnOf(text)], [[text], ['after']])).toEqual([[text], ['after']]);
});

test('a day before the calendar of Excel is text', async () => {
  const day = [{ name: 'start', own: false, kind: 'day' as const }];
  const { rows } = readXlsx(await bytesOf(day, [['1900-02-28'], ['1900-03-01'], ['0900-01-01']]));
  expect(rows.slice(1).map((row) => row[0]?.value)).toEqual(['1900-02-28', 61, '0900-01-01']);
});

test('the same lines have the same bytes at any time and for any block size', async () => {
  const columns = [columnOf('name'), { name: 'ads_count', own: false, kind: 'count' as const }];
  const lines = Array.from({ length: 5000 }, (_, index) => [`company ${index % 700}`, index]);
  const whole = await bytesOf(columns, lines);
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2031-05-06T07:08:09Z') });
  const inBlocks = Array.from({ length: 5 }, (_, block) => lines.slice(block * 1000, (block + 1) * 1000));
  expect((await bytesOf(columns, ...inBlocks)).equals(whole)).toBe(true);
  const times = readZip(whole).map(({ time }) => time);
  expect(times.length).toBeGreaterThan(5);
  expect(new Set(times)).toEqual(new Set([0x0021_0000]));
});

test('more lines than the limit are rejected with formats that have no limit', async () => {
  const block = Array.from({ length: 10_000 }, () => ['x']);
  const blocks = Array.from({ length: 6 }, () => block);
  const refusal: unknown = await bytesOf([columnOf('a')], ...blocks).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ValidationError);
  expect(String(refusal)).toContain('50,000 lines at most');
  expect(String(refusal)).toContain('CSV or Parquet');
  expect(await linesOf([columnOf('a')], ...blocks.slice(1))).toHaveLength(50_000);
});

test('the limit of lines is lower with more columns', async () => {
  const columns = Array.from({ length: 100 }, (_, index) => columnOf(`c${index}`));
  const block = Array.from({ length: 10_001 }, () => columns.map(() => 'x'));
  await expect(bytesOf(columns, block)).rejects.toThrow('with 100 columns 10,000; this one has more');
});

test('more columns than the limit of Excel are rejected', async () => {
  const columns = Array.from({ length: 16_385 }, (_, index) => columnOf(`c${index}`));
  await expect(bytesOf(columns)).rejects.toThrow('room for 16,384 columns');
});

test('a cell beyond the limit of Excel is rejected with its row and column, and the longest valid one is kept', async () => {
  const columns = ['name', 'page'].map(columnOf);
  const fits = '😀'.repeat(16_383) + 'x';
  expect(await linesOf(columns, [['a', fits]])).toEqual([['a', fits]]);
  const refusal = bytesOf(columns, [['a', 'b']], [['c', `${fits}x`]]);
  await expect(refusal).rejects.toThrow('Row 3, column "page" has 32,768');
  await expect(refusal).rejects.toBeInstanceOf(ValidationError);
  await expect(bytesOf([columnOf('x'.repeat(40_000))])).rejects.toThrow('Row 1');
});

test('a line with a wrong number of cells or a wrong type throws', async () => {
  await expect(bytesOf([columnOf('a')], [['x', 'y']])).rejects.toThrow('one cell per column');
  await expect(bytesOf([{ name: 'n', own: false, kind: 'count' }], [['x']])).rejects.toThrow('a number');
});

test('an abort during the export rejects with the reason', async () => {
  const stop = new AbortController();
  async function* source() {
    yield Array.from({ length: 20_000 }, (_, index) => [`company ${index}`]);
    setImmediate(() => stop.abort(new Error('Ctrl-C')));
  }
  const encoded = createXlsxEncoder([columnOf('a')], stop.signal)(source());
  const reading = async () => {
    for await (const part of encoded) expect.unreachable(`${part.length} bytes of an aborted workbook`);
  };
  await expect(reading()).rejects.toThrow('Ctrl-C');
});

test('every table is read back unchanged', async () => {
  const property = fc.asyncProperty(randomReport, async ({ columns, lines }) => {
    const read = await linesOf(columns, lines);
    const expected = lines.map((line) => line.map((cell) => (cell === '' ? null : cell)));
    expect(read.map((line) => columns.map((_, index) => line[index] ?? null))).toEqual(expected);
  });
  await fc.assert(property, { numRuns: randomRuns(300) });
});

test('every text is read back unchanged in a sheet of thousands', async () => {
  const texts = fc.sample(
    fc.oneof(nastyCell, fc.string({ unit: 'binary', maxLength: 9 })),
    randomRuns(25_000),
  );
  const lines = texts.filter((text) => text !== '').map((text) => [text]);
  expect(await linesOf([columnOf('a')], lines)).toEqual(lines);
});
