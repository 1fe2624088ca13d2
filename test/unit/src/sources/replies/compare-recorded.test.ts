import { expect, test } from 'vitest';
import { differenceFromRecorded } from '../../../../../src/sources/replies/compare-recorded.ts';

const ads = { always: ['ads', 'ads[].id'], sometimes: ['next'] };
const rows = { always: ['rows'], sometimes: [] };

test('a reply is compared with the nearest of its recorded shapes', () => {
  expect(differenceFromRecorded([ads, rows], '{"rows":[],"next":1}')).toEqual({
    missing: [],
    added: ['next'],
  });
  expect(differenceFromRecorded([rows, ads], '{"ads":[{"key":1}]}')).toEqual({
    missing: ['ads[].id'],
    added: ['ads[].key'],
  });
});

test('a reply that is no JSON, or of a source without a recorded shape, is not compared', () => {
  expect(differenceFromRecorded([ads], '<html>')).toBeNull();
  expect(differenceFromRecorded([ads], '')).toBeNull();
  expect(differenceFromRecorded([], '{}')).toBeNull();
});

test('the line that Google puts before JSON is no part of the reply', () => {
  expect(differenceFromRecorded([rows], `)]}'\n{"rows":[],"9":1}`)?.added).toEqual(['9']);
});
