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

test('a row becomes what an export writes: records nested, lists kept, numbers as text', () => {
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

test('null is null, and an empty list is an empty list', () => {
  const record: WireField = { name: 'record', type: 'RECORD', fields: [text('a')] };
  expect(decodeRows([text('a'), record, regions], [{ f: [{ v: null }, { v: null }, { v: [] }] }])).toEqual([
    { a: null, record: null, region_stats: [] },
  ]);
});

test('a column that is called like a property of every object is a column', () => {
  const [row] = decodeRows([text('__proto__'), text('constructor')], [{ f: [{ v: 'a' }, { v: 'b' }] }]);
  expect(Object.entries(row ?? {})).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ]);
});

test.each<[string, unknown, string]>([
  ['no record', 'AR1', 'rows[0]: expected a record'],
  ['no cells', {}, 'rows[0]: expected a record'],
  ['a cell too few', { f: [{ v: 'AR1' }] }, 'rows[0]: expected 2 columns, got 1'],
  ['a cell too many', { f: [{ v: 'a' }, { v: [] }, { v: 'c' }] }, 'rows[0]: expected 2 columns, got 3'],
  ['a bare value', { f: ['AR1', { v: [] }] }, 'rows[0].advertiser_id: expected a cell'],
  ['a number', { f: [{ v: 1 }, { v: [] }] }, 'rows[0].advertiser_id: expected text, got number'],
  ['a list for text', { f: [{ v: [] }, { v: [] }] }, 'rows[0].advertiser_id: expected text'],
  ['null for a list', { f: [{ v: 'a' }, { v: null }] }, 'rows[0].region_stats: expected a list'],
  ['a bare item', { f: [{ v: 'a' }, { v: ['b'] }] }, 'rows[0].region_stats[0]: expected a cell'],
  [
    'text for a record',
    { f: [{ v: 'a' }, { v: [{ v: 'b' }] }] },
    'rows[0].region_stats[0]: expected a record',
  ],
  [
    'a record of another form',
    { f: [{ v: 'a' }, { v: [{ v: { f: [{ v: 'FR' }] } }] }] },
    'rows[0].region_stats[0]: expected 2 columns, got 1',
  ],
])('%s is unreadable, with its place', (_, row, message) => {
  const decode = () => decodeRows([text('advertiser_id'), regions], [row]);
  expect(decode).toThrow(SourceUnreadable);
  expect(decode).toThrow(message);
});

test('anything that JSON can hold is decoded or unreadable, never another error', () => {
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
