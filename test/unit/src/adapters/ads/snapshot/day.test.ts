import { expect, test } from 'vitest';
import { parseDay } from '../../../../../../src/adapters/ads/snapshot/day.ts';

test.each(['2023-03-01', '2024-02-29', '2000-02-29', '2026-12-31', '0001-01-01'])('%s is a day', (text) => {
  expect(parseDay(text)).toBe(text);
});

test.each(['2023-02-29', '1900-02-29', '2023-04-31', '2023-13-01', '2023-00-10', '2023-01-00', '0000-01-01'])(
  '%s does not exist',
  (text) => {
    expect(parseDay(text)).toBeNull();
  },
);

test.each(['2023-3-1', '20230301', '2023-03-01T00:00:00Z', ' 2023-03-01', '2023-03-01\n', ''])(
  '%j is not written as a day',
  (text) => {
    expect(parseDay(text)).toBeNull();
  },
);

test('what is not a text is no day', () => {
  for (const value of [null, undefined, 20230301, new Date(0), ['2023-03-01']])
    expect(parseDay(value)).toBeNull();
});
