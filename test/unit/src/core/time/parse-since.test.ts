import { expect, test } from 'vitest';
import { ValidationError } from '../../../../../src/core/errors.ts';
import { readSince } from '../../../../../src/core/time/parse-since.ts';

test.each([
  ['30m', 30 * 60_000],
  ['12h', 12 * 3_600_000],
  [' 7d ', 7 * 86_400_000],
])('%s is parsed as an age', (text, ageMs) => {
  expect(readSince(text, '--since')).toEqual({ kind: 'age', ageMs });
});

test.each([
  ['2026-03-01', '2026-03-01T00:00:00.000Z'],
  ['2028-02-29', '2028-02-29T00:00:00.000Z'],
  ['2026-03-01T02:30Z', '2026-03-01T02:30:00.000Z'],
  ['2026-03-01T02:00:00.5Z', '2026-03-01T02:00:00.500Z'],
  ['2026-03-01T00:30:00+01:00', '2026-02-28T23:30:00.000Z'],
])('%s is parsed as a time; a day starts in UTC', (text, at) => {
  expect(readSince(text, '--since')).toEqual({ kind: 'time', at: new Date(at) });
});

test.each([
  '',
  'yesterday',
  '7',
  '0d',
  '7w',
  '-7d',
  '9999d',
  '2026-02-30',
  '2026-13-01',
  '2026-3-1',
  '0000-01-01',
  '2026-03-01T02:00:00',
  '2026-03-01T25:00:00Z',
  '2026-03-01T02:00:00+99:00',
  '2026-03-01 02:00:00Z',
])('"%s" is rejected with the accepted formats', (text) => {
  expect(() => readSince(text, '--since')).toThrow(ValidationError);
  expect(() => readSince(text, '--since')).toThrow(/^--since .*7d/);
});
