import { expect, test } from 'vitest';
import { ValidationError } from '../../../../../src/core/errors.ts';
import { dayAt, machineZone, parseTimeZone, startOfDay } from '../../../../../src/core/time/time-zone.ts';

const dayMs = 86_400_000;

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  [' europe/berlin ', 'Europe/Berlin'],
  ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['UTC', 'UTC'],
  ['Etc/GMT+5', 'Etc/GMT+5'],
])('%j is parsed as the time zone %s', (text, name) => {
  expect(parseTimeZone(text, '--tz').name).toBe(name);
});

test.each(['Mars/Base', '+02:00', '', 'Europe/', 'Europe Berlin', 'x'.repeat(1000)])(
  '%j is rejected as a time zone',
  (text) => {
    expect(() => parseTimeZone(text, '--tz')).toThrow(ValidationError);
    expect(() => parseTimeZone(text, '--tz')).toThrow('unknown time zone');
  },
);

test('the time zone of the machine is valid', () => {
  expect(parseTimeZone(machineZone(), '--tz').name).toBe(machineZone());
});

test.each([
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
  ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
  ['America/New_York', '2026-07-04', '2026-07-04T04:00:00.000Z'],
  // Clocks skip or repeat midnight.
  ['America/Havana', '2026-03-08', '2026-03-08T05:00:00.000Z'],
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
  // A skipped day begins with the next one.
  ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
  ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
])('in %s the day %s starts at %s', (zone, day, start) => {
  const startMs = startOfDay(parseTimeZone(zone, '--tz'), Date.parse(day) / dayMs);
  expect(new Date(startMs).toISOString()).toBe(start);
});

test('a day ends right before the next day starts', () => {
  const zone = parseTimeZone('Europe/Berlin', '--tz');
  const day = Date.parse('2026-10-25') / dayMs;
  const [start, end] = [startOfDay(zone, day), startOfDay(zone, day + 1)];
  expect(end - start).toBe(25 * 3_600_000);
  expect([start - 1, start, end - 1, end].map((time) => dayAt(zone, time) - day)).toEqual([-1, 0, 0, 1]);
});
