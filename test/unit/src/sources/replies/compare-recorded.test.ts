import { expect, test } from 'vitest';
import { differenceFromRecorded } from '../../../../../src/sources/replies/compare-recorded.ts';

const ads = { always: ['ads', 'ads[].id'], sometimes: ['next'] };
const rows = { always: ['rows'], sometimes: [] };

test('a reply is compared to the most similar recorded shape', () => {
  expect(differenceFromRecorded([ads, rows], '{"rows":[],"next":1}')).toEqual({
    missing: [],
    added: ['next'],
  });
  expect(differenceFromRecorded([rows, ads], '{"ads":[{"key":1}]}')).toEqual({
    missing: ['ads[].id'],
    added: ['ads[].key'],
  });
});

test('a reply is not compared if it is not JSON or if its source has no recorded shape', () => {
  expect(differenceFromRecorded([ads], '<html>')).toBeNull();
  expect(differenceFromRecorded([ads], '')).toBeNull();
  expect(differenceFromRecorded([], '{}')).toBeNull();
});

test('the guard line of Google before JSON is ignored', () => {
  expect(differenceFromRecorded([rows], `)]}'\n{"rows":[],"9":1}`)?.added).toEqual(['9']);
});
