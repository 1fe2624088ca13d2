import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createNdjsonWriter } from '../../../../../src/reporter/formats/ndjson.ts';
import { createParquetEncoder } from '../../../../../src/reporter/formats/parquet.ts';
import type { Cell, ReportColumn } from '../../../../../src/reporter/formats/report-row.ts';
import { readParquet } from '../../../../support/reports/read-parquet.ts';
import { columnOf, randomReport } from '../cells.ts';

type Lines = readonly (readonly Cell[])[];

async function* blocksOf(...blocks: readonly Lines[]): AsyncGenerator<Lines> {
  yield* blocks;
}

async function bytesOf(columns: readonly ReportColumn[], ...blocks: readonly Lines[]): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of createParquetEncoder(columns)(blocksOf(...blocks))) parts.push(part);
  return Buffer.concat(parts);
}

const kinds = ['text', 'count', 'credits', 'flag', 'day', 'moment'] as const;
const everyKind = kinds.map((kind) => ({ name: kind, own: false, kind }));

test('every Parquet column has the type of its kind', async () => {
  const { names, types } = await readParquet(await bytesOf(everyKind));
  expect(Object.fromEntries(names.map((name, index) => [name, types[index]]))).toEqual({
    text: 'STRING',
    count: 'INT32',
    credits: 'DECIMAL(18,6)',
    flag: 'BOOLEAN',
    day: 'DATE',
    moment: 'TIMESTAMP(UTC,MICROS)',
  });
});

test('cells are read back unchanged, and empty ones as null', async () => {
  const lines = [
    ['=1+1', 7, 0.2, true, '2026-02-28', '2026-03-01T04:05:06.789Z'],
    ['', 0, 0, false, '1969-12-31', '1969-12-31T23:59:59.999Z'],
    [null, null, null, null, null, null],
  ];
  const table = await readParquet(await bytesOf(everyKind, lines));
  expect(table.lines).toEqual(lines);
});

test('credits are exact to the microcredit for any amount', async () => {
  const amounts = [0.000001, 0.1, 0.2, 1234567.000001, 99999999.999999];
  const lines = amounts.map((amount) => [amount]);
  const credits = [{ name: 'credits', own: false, kind: 'credits' as const }];
  const { metadata } = await readParquet(await bytesOf(credits, lines));
  const statistics = metadata.row_groups[0]?.columns[0]?.meta_data?.statistics;
  expect(Number(statistics?.min_value)).toBeCloseTo(0.000001, 9);
  expect((await readParquet(await bytesOf(credits, lines))).lines).toEqual(lines);
});

test('a report without lines is a file with column names', async () => {
  const table = await readParquet(await bytesOf([columnOf('a'), columnOf('b')]));
  expect([table.names, table.lines, table.groups]).toEqual([['a', 'b'], [], []]);
});

test('every column has a unique name for any header', async () => {
  const columns = ['a', 'a', '', '', 'column_3', '__proto__', 'a.b', 'constructor'].map(columnOf);
  const cells = columns.map((_, index) => `cell ${index}`);
  const table = await readParquet(await bytesOf(columns, [cells]));
  expect(table.names).toEqual([
    'a',
    'a_2',
    'column_3',
    'column_4',
    'column_3_2',
    '__proto__',
    'a.b',
    'constructor',
  ]);
  expect(table.lines).toEqual([cells]);
});

test('the same lines have the same bytes for any block size', async () => {
  const columns = [columnOf('name'), { name: 'ads_count', own: false, kind: 'count' as const }];
  const lines = Array.from({ length: 45_000 }, (_, index) => [`company ${index % 700}`, index]);
  const whole = await bytesOf(columns, lines);
  const inBlocks = Array.from({ length: 45 }, (_, block) => lines.slice(block * 1000, (block + 1) * 1000));
  expect((await bytesOf(columns, ...inBlocks)).equals(whole)).toBe(true);
  expect((await bytesOf(columns, [], ...inBlocks, [])).equals(whole)).toBe(true);
  expect((await readParquet(whole)).groups).toEqual([20_000, 20_000, 5000]);
});

test('wide lines result in smaller row groups', async () => {
  const lines = Array.from({ length: 40 }, (_, index) => [`${index}`.padEnd(1_000_000, '.')]);
  const table = await readParquet(await bytesOf([columnOf('page')], lines));
  expect(table.groups).toEqual([17, 17, 6]);
  expect(table.lines).toEqual(lines);
});

test('at most one row group is read ahead', async () => {
  let read = 0;
  async function* source() {
    for (let block = 0; block < 60; block += 1) {
      read += 1000;
      yield Array.from({ length: 1000 }, (_, index) => [`company ${block * 1000 + index}`]);
    }
  }
  const held: number[] = [];
  let written = 0;
  for await (const part of createParquetEncoder([columnOf('name')])(source())) {
    expect(part.length).toBeGreaterThan(0);
    held.push(read - written);
    written = read;
  }
  expect(held).toEqual([20_000, 20_000, 20_000, 0]);
});

test('a line with a wrong number of cells or a wrong type throws', async () => {
  await expect(bytesOf([columnOf('a')], [['x', 'y']])).rejects.toThrow('one cell per column');
  await expect(bytesOf([{ name: 'n', own: false, kind: 'count' }], [['x']])).rejects.toThrow('a number');
  await expect(bytesOf([{ name: 'n', own: false, kind: 'count' }], [[1.5]])).rejects.toThrow('integer');
  await expect(bytesOf([{ name: 'n', own: false, kind: 'flag' }], [[1]])).rejects.toThrow('a truth value');
  await expect(bytesOf([{ name: 'n', own: false, kind: 'day' }], [['soon']])).rejects.toThrow('a day');
});

test('Parquet has the same values as NDJSON for any table', async () => {
  const property = fc.asyncProperty(randomReport, async ({ columns, lines }) => {
    const table = await readParquet(await bytesOf(columns, lines));
    expect(table.lines).toEqual(ndjsonValues(columns, lines));
    expect(new Set(table.names).size).toBe(columns.length);
  });
  await fc.assert(property, { numRuns: 500 });
});

/** Values of each line in NDJSON, in column order. The names differ, because JSON.parse sorts some of them. */
function ndjsonValues(columns: readonly ReportColumn[], lines: Lines): readonly (readonly unknown[])[] {
  const writer = createNdjsonWriter(columns.map((column, index) => ({ ...column, name: `c${index}` })));
  const texts = writer.block(lines).split('\n').slice(0, -1);
  return texts.map((text) => Object.values(JSON.parse(text) as Record<string, unknown>));
}
