import { expect, test } from 'vitest';
import { errorPlaceOf } from '../../../../../../src/console/pages/sql/error-place.ts';

const message = (position: number) => `Postgres rejected the query: no (at character ${position}).\nHelp.`;

test.each([
  ['selec 1', 1, { index: 0, line: 1, column: 1, length: 5 }],
  ['select nothing', 8, { index: 7, line: 1, column: 8, length: 7 }],
  ['select 1\nfrom nowhere\nlimit 1', 15, { index: 14, line: 2, column: 6, length: 7 }],
  // One character of Postgres, two units of the text.
  ["select '😀', x", 13, { index: 13, line: 1, column: 13, length: 1 }],
  ['select', 7, { index: 6, line: 1, column: 7, length: 1 }],
])('place of an error in %j at character %i', (query, position, place) => {
  expect(errorPlaceOf(message(position), query)).toEqual(place);
});

test('message without a place, and one for another text, have none', () => {
  expect(errorPlaceOf('division by zero', 'select 1 / 0')).toBeNull();
  for (const position of [0, 10]) expect(errorPlaceOf(message(position), 'select 1')).toBeNull();
});
