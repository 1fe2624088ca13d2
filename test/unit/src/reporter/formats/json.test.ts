import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createJsonWriter } from '../../../../../src/reporter/formats/json.ts';
import { createNdjsonWriter } from '../../../../../src/reporter/formats/ndjson.ts';
import type { Cell, ReportColumn } from '../../../../../src/reporter/formats/report-row.ts';
import { nastyCell } from '../cells.ts';

type Block = readonly (readonly Cell[])[];

const columns = [
  { name: 'name', own: true },
  { name: 'ads_count', own: false },
];

function ndjsonOf(of: readonly ReportColumn[], ...blocks: readonly Block[]): string {
  const writer = createNdjsonWriter(of);
  return writer.head + blocks.map(writer.block).join('') + writer.tail;
}

function jsonOf(of: readonly ReportColumn[], ...blocks: readonly Block[]): string {
  const writer = createJsonWriter(of);
  return writer.head + blocks.map(writer.block).join('') + writer.tail;
}

test('NDJSON has one object per line, in column order, and nothing else', () => {
  expect(ndjsonOf(columns, [['a', 1]], [['b\n', null]])).toBe(
    '{"name":"a","ads_count":1}\n{"name":"b\\n","ads_count":null}\n',
  );
  expect(ndjsonOf(columns)).toBe('');
});

test('JSON is one array with an object per line, across blocks', () => {
  expect(
    jsonOf(
      columns,
      [['a', 1]],
      [],
      [
        ['b', 2],
        ['c', 3],
      ],
    ),
  ).toBe('[\n{"name":"a","ads_count":1},\n{"name":"b","ads_count":2},\n{"name":"c","ads_count":3}\n]\n');
});

test('a report without lines is an empty JSON array', () => {
  expect(JSON.parse(jsonOf(columns))).toEqual([]);
  expect(JSON.parse(jsonOf(columns, [], []))).toEqual([]);
});

test('cells of the input are strings, result cells keep their type', () => {
  const typed = ['t', 'u', 'v', 'w'].map((name) => ({ name, own: name < 'v' }));
  expect(ndjsonOf(typed, [[1, null, 0.2, false]])).toBe('{"t":"1","u":null,"v":0.2,"w":false}\n');
});

test('formulas are not escaped, in keys neither', () => {
  expect(ndjsonOf([{ name: '=h', own: true }], [['=1']])).toBe('{"=h":"=1"}\n');
});

test('columns named __proto__, constructor or 1 are kept in order', () => {
  const names = ['b', '__proto__', '1', 'constructor'];
  const text = ndjsonOf(
    names.map((name) => ({ name, own: true })),
    [['w', 'x', 'y', 'z']],
  );
  expect(text).toBe('{"b":"w","__proto__":"x","1":"y","constructor":"z"}\n');
  expect(Object.getOwnPropertyDescriptor(JSON.parse(text), '__proto__')?.value).toBe('x');
});

test('repeated names of the header lose no cell', () => {
  const twice = ['a', 'a', '', ''].map((name) => ({ name, own: true }));
  expect(JSON.parse(ndjsonOf(twice, [['1', '2', '3', '4']]))).toEqual({ a: '1', a_2: '2', '': '3', _2: '4' });
});

test('a line with a wrong number of cells is rejected', () => {
  expect(() => ndjsonOf(columns, [['a']])).toThrow('one cell per column');
  expect(() => jsonOf(columns, [['a', 1, 2]])).toThrow('one cell per column');
});

test('a number that JSON cannot represent is rejected', () => {
  expect(() => ndjsonOf(columns, [['a', Number.NaN]])).toThrow('finite');
});

test('every cell is read back unchanged from JSON and NDJSON', () => {
  const cells = fc.array(fc.tuple(nastyCell, fc.double({ noNaN: true, noDefaultInfinity: true })), {
    maxLength: 4,
  });
  const property = fc.property(cells, (lines) => {
    const expected = lines.map(([name, count]) => ({ name, ads_count: count === 0 ? 0 : count }));
    expect(JSON.parse(jsonOf(columns, lines))).toEqual(expected);
    const read: readonly unknown[] = ndjsonOf(columns, lines).split('\n').slice(0, -1).map(parseLine);
    expect(read).toEqual(expected);
  });
  fc.assert(property, { numRuns: 5_000 });
});

function parseLine(line: string): unknown {
  return JSON.parse(line);
}
