import { describe, expect, test } from 'vitest';
import { ValidationError } from '../../../../../src/core/errors.ts';
import { parseMoment } from '../../../../../src/core/time/parse-moment.ts';
import { localOffsets, parseTimeZone } from '../../../../../src/core/time/time-zone.ts';

const inBerlin = { where: '--to', zone: parseTimeZone('Europe/Berlin', 'zone') };

describe('a moment', () => {
  test.each([
    ['2026-11-22 02:13', '2026-11-22T01:13:00.000Z'],
    [' 2026-07-22T02:13:30.5 ', '2026-07-22T00:13:30.500Z'],
    ['2026-11-22T02:13Z', '2026-11-22T02:13:00.000Z'],
    ['2026-11-22 02:13:00 UTC', '2026-11-22T02:13:00.000Z'],
    ['2026-11-22 02:13-0430', '2026-11-22T06:43:00.000Z'],
    ['2026-10-25 01:59', '2026-10-24T23:59:00.000Z'],
    ['2026-10-25 03:00', '2026-10-25T02:00:00.000Z'],
    ['2026-10-25T02:30:00+02:00', '2026-10-25T00:30:00.000Z'],
    ['2026-03-29 03:00', '2026-03-29T01:00:00.000Z'],
  ])('%s is parsed in the given zone, unless it has its own', (text, moment) => {
    expect(parseMoment(text, inBerlin).toISOString()).toBe(moment);
  });

  test('that occurs twice is rejected with both', () => {
    expect(() => parseMoment('2026-10-25 02:30', inBerlin)).toThrow(
      'this time occurs twice in your time zone, because the clocks change. Write 2026-10-25T02:30:00+02:00 or 2026-10-25T02:30:00+01:00.',
    );
  });

  test('that does not exist is rejected with those before and after', () => {
    expect(() => parseMoment('2026-03-29 02:30', inBerlin)).toThrow(
      'this time does not exist in your time zone, because the clocks change. Write 2026-03-29T01:30:00+01:00 or 2026-03-29T03:30:00+02:00.',
    );
  });

  test.each(['yesterday', '2026-11-22', '2026-02-30 10:00', '2026-11-22 25:00', '2026-11-22 02:13 EST'])(
    '%s is rejected',
    (text) => {
      expect(() => parseMoment(text, inBerlin)).toThrow(ValidationError);
    },
  );

  test('can be in the zone of this machine', () => {
    const moment = parseMoment('2026-11-22 12:00', { where: '--to', zone: localOffsets });
    expect(moment).toEqual(new Date(2026, 10, 22, 12));
  });
});
