import { expect, test } from 'vitest';
import { columnPath, linePath } from '../../../../../../src/reporter/documents/charts/paths.ts';

test('line goes through its points, rounded to tenths', () => {
  expect(linePath([])).toBe('');
  expect(
    linePath([
      { x: 1, y: 2 },
      { x: 3.06, y: 4.04 },
    ]),
  ).toBe('M1,2L3.1,4');
});

test('column is a closed rectangle', () => {
  expect(columnPath({ left: 10, width: 5.55 }, 100, 40)).toBe('M10,100V40H15.6V100Z');
});
