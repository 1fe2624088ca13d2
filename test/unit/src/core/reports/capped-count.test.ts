import { expect, test } from 'vitest';
import { cappedText, countedMax } from '../../../../../src/core/reports/capped-count.ts';
import { formatCapped } from '../../../../../src/console/components/format.ts';

test.each([
  [0, '0'],
  [9_999, '9,999'],
  [10_000, '10,000+'],
])('a count of %d is shown as %s, also in the console', (count, text) => {
  expect([cappedText(count), formatCapped(count)]).toEqual([text, text]);
});

test('the greatest count is the one that the API documents', () => {
  expect(countedMax).toBe(10_000);
});
