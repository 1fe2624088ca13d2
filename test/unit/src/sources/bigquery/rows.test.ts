import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeRows } from '../../../../../src/sources/bigquery/rows.ts';
import type { WireField } from '../../../../../src/sources/bigquery/wire.ts';
import { SourceUnreadable } from '../../../../../src/core/errors.ts';

const text = (name: string): WireField => ({ name, type: 'STRING' });
const regions: WireField = {
  name: 'region_stats',
  type: 'RECORD',
  mode: 'REPEATED',
  fields: [text('region_code'), { name: 'bound', type: 'INTEGER', mode: 'NULLABLE' }],
};

test('a row is decoded to the form of an export: nested records, lists, numbers as text', () => {
  const audience: WireField = { name: 'audience', type: 'STRUCT', fields: [text('age')] };
  const surfaces: WireField = { ...text('surfaces'), mode: 'REPEATED' };
  const wire = {
    f: [
      { v: 'AR1' },
      { v: [{ v: { f: [{ v: 'FR' }, { v: '1000' }] } }, { v: { f: [{ v: 'EEA' }, { v: null }] } }] },
      { v: { f: [{ v: 'ANY' }] } },
      { v: [{ v: 'YOUTUBE' }, { v: 'SEARCH' }] },
    ],
  };
  expect(decodeRows([text('advertiser_id'), regions, audience, surfaces], [wire])).toEqual([
    {
      advertiser_id: 'AR1',
      region_stats: [
        { region_code: 'FR', bound: '1000' },
        { region_code: 'EEA', bound: null },
      ],
      audience: { age: 'ANY' },
      surfaces: ['YOUTUBE', 'SEARCH'],
    },
  ]);
});

test('null is decoded as null, and an empty list as an empty list', () => {
  const record: WireField = { name: 'record', type: 'RECORD', fields: [text('a')] };
  expect(decodeRows([text('a'), record, regions], [{ f: [{ v: null }, { v: null }, { v: [] }] }])).toEqual([
    { a: null, record: null, region_stats: [] },
  ]);
});

test('a column with the name of a built-in property is decoded', () => {
  const [row] = decodeRows([text('__proto__'), text('constructor')], [{ f: [{ v: 'a' }, { v: 'b' }] }]);
  expect(Object.entries(row ?? {})).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ]);
});

test.each<[string, unknown, string]>([
  ['text instead of a row', 'AR1', 'rows[0]: expected a record'],
  ['a row without cells', {}, 'rows[0]: expected a record'],
  ['a missing cell', { f: [{ v: 'AR1' }] }, 'rows[0]: expected 2 columns, got 1'],
  ['an extra cell', { f: [{ v: 'a' }, { v: [] }, { v: 'c' }] }, 'rows[0]: expected 2 columns, got 3'],
  ['a value without a cell', { f: ['AR1', { v: [] }] }, 'rows[0].advertiser_id: expected a cell'],
  ['a number', { f: [{ v: 1 }, { v: [] }] }, 'rows[0].advertiser_id: expected text, got number'],
  ['a list instead of text', { f: [{ v: [] }, { v: [] }] }, 'rows[0].advertiser_id: expected text'],
  ['null instead of a list', { f: [{ v: 'a' }, { v: null }] }, 'rows[0].region_stats: expected a list'],
  ['an item without a cell', { f: [{ v: 'a' }, { v: ['b'] }] }, 'rows[0].region_stats[0]: expected a cell'],
  [
    'text instead of a record',
    { f: [{ v: 'a' }, { v: [{ v: 'b' }] }] },
    'rows[0].region_stats[0]: expected a record',
  ],
  [
    'a record with a missing column',
    { f: [{ v: 'a' }, { v: [{ v: { f: [{ v: 'FR' }] } }] }] },
    'rows[0].region_stats[0]: expected 2 columns, got 1',
  ],
])('%s is unreadable, with its path', (_, row, message) => {
  const decode = () => decodeRows([text('advertiser_id'), regions], [row]);
  expect(decode).toThrow(SourceUnreadable);
  expect(decode).toThrow(message);
});

test('any JSON is decoded or unreadable, without other errors', () => {
  const fields = [text('advertiser_id'), regions];
  const cells = fc.array(fc.oneof(fc.record({ v: fc.jsonValue() }), fc.jsonValue()), { maxLength: 3 });
  const row = fc.oneof(fc.jsonValue(), fc.record({ f: fc.oneof(cells, fc.jsonValue()) }));
  fc.assert(
    fc.property(row, (value) => {
      try {
        decodeRows(fields, [value]);
      } catch (error) {
        expect(error).toBeInstanceOf(SourceUnreadable);
      }
    }),
  );
});
