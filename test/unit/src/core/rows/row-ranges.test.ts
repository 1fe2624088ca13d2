import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  parseRowRanges,
  rejectUnknownRows,
  rowRangesMax,
} from '../../../../../src/core/rows/parse-row-ranges.ts';
import { formatRowRanges, rangesOfRows } from '../../../../../src/core/rows/row-ranges.ts';

describe('row ranges', () => {
  test.each([
    ['1', '1'],
    ['1,5,9-20', '1,5,9-20'],
    [' 3 , 1 - 2 ', '1-3'],
    ['9-20,10-12,21', '9-21'],
    ['5,5,5', '5'],
    ['999999999', '999999999'],
  ])('%j is read as %s', (text, formatted) => {
    expect(formatRowRanges(parseRowRanges(text, 'rows'))).toBe(formatted);
  });

  test.each(['', ',', '1,', '0', '0-3', '5-4', '-1', '1-', '1-2-3', '1.5', 'x', '1e3', '1000000000', '１'])(
    '%j is rejected, with an example',
    (text) => {
      expect(() => parseRowRanges(text, '--rows')).toThrow(
        /^--rows ".*": must be row numbers from 1 and ranges, such as 1,5,9-20\.$/,
      );
    },
  );

  test('more separate ranges than possible are rejected with the limit; neighbours count as one', () => {
    const odd = (count: number) => Array.from({ length: count }, (_, i) => 2 * i + 1).join(',');
    expect(parseRowRanges(odd(rowRangesMax), 'rows')).toHaveLength(rowRangesMax);
    expect(() => parseRowRanges(odd(rowRangesMax + 1), 'rows')).toThrow(
      'rows: has 501 separate ranges, and at most 500 are possible.',
    );
    const all = Array.from({ length: 2000 }, (_, i) => i + 1).join(',');
    expect(parseRowRanges(all, 'rows')).toEqual([{ first: 1, last: 2000 }]);
  });

  test('rows that a batch does not have are rejected by their numbers', () => {
    const rows = parseRowRanges('1,58-62,70', 'rows');
    expect(() => rejectUnknownRows(rows, 70)).not.toThrow();
    expect(() => rejectUnknownRows(rows, 60)).toThrow('The batch has 60 rows. It has no row 61-62,70.');
    expect(() => rejectUnknownRows(rangesOfRows([2]), 1)).toThrow('The batch has 1 row. It has no row 2.');
    const many = rangesOfRows(Array.from({ length: 20 }, (_, i) => 2 * i + 1));
    expect(() => rejectUnknownRows(many, 0)).toThrow(/no row 1,3,5,7,9,11,13,15,17,19, …\.$/);
  });

  test('any numbers give the same set, in order, and survive their text', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 300 }), (rowNos) => {
        const ranges = rangesOfRows(rowNos);
        const listed = ranges.flatMap(({ first, last }) =>
          Array.from({ length: last - first + 1 }, (_, i) => first + i),
        );
        expect(listed).toEqual([...new Set(rowNos)].toSorted((one, other) => one - other));
        expect(parseRowRanges(formatRowRanges(ranges), 'rows')).toEqual(ranges);
      }),
    );
  });
});
