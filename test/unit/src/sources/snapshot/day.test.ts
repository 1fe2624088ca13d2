import { expect, test } from 'vitest';
import { parseDay, parseDayOrMoment } from '../../../../../src/sources/snapshot/day.ts';

test.each(['2023-03-01', '2024-02-29', '2000-02-29', '2026-12-31', '0001-01-01'])(
  '%s is parsed as a day',
  (text) => {
    expect(parseDay(text)).toBe(text);
  },
);

test.each(['2023-02-29', '1900-02-29', '2023-04-31', '2023-13-01', '2023-00-10', '2023-01-00', '0000-01-01'])(
  '%s is rejected as a day that does not exist',
  (text) => {
    expect(parseDay(text)).toBeNull();
  },
);

test.each(['2023-3-1', '20230301', '2023-03-01T00:00:00Z', ' 2023-03-01', '2023-03-01\n', ''])(
  '%j is rejected as a day',
  (text) => {
    expect(parseDay(text)).toBeNull();
  },
);

test('a value that is not text is rejected as a day', () => {
  for (const value of [null, undefined, 20230301, new Date(0), ['2023-03-01']])
    expect(parseDay(value)).toBeNull();
});

test.each([
  ['2024-01-02', '2024-01-02'],
  ['2024-01-02T00:00:00Z', '2024-01-02'],
  ['2024-01-02 00:00:00 UTC', '2024-01-02'],
  ['2024-01-02 00:00:00.123456+00', '2024-01-02'],
  ['2024-01-02 23:59:59', '2024-01-02'],
  ['2024-01-02 10:30', '2024-01-02'],
  ['2024-01-01T00:30:00+01:00', '2023-12-31'],
  ['2024-02-28T23:30:00-0100', '2024-02-29'],
])('the time %s is on the day %s', (text, day) => {
  expect(parseDayOrMoment(text)).toBe(day);
});

test.each([
  '2024-02-30T00:00:00Z',
  '2024-01-02T24:00:00Z',
  '2024-01-02T',
  '2024-01-02 CET',
  '1704067200',
  '',
])('%j is rejected as a time', (text) => expect(parseDayOrMoment(text)).toBeNull());
