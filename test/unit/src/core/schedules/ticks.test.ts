import { describe, expect, test } from 'vitest';
import { parseCron } from '../../../../../src/core/schedules/cron.ts';
import { nextTicks, ticksAfter } from '../../../../../src/core/schedules/ticks.ts';
import { parseTimeZone } from '../../../../../src/core/time/time-zone.ts';
import { ticksOfWalk, walkClock } from '../../../../support/walked-clock.ts';

function next(cron: string, zone: string, from: string, count: number): readonly string[] {
  const ticks = nextTicks(parseCron(cron, '--cron'), parseTimeZone(zone, '--tz'), new Date(from), count);
  return ticks.map((tick) => tick.toISOString().replace(':00.000Z', 'Z'));
}

/** Clocks go from 02:00 to 03:00 at 01:00Z on 29 March 2026, and from 03:00 to 02:00 at 01:00Z on 25 October. */
const berlin = 'Europe/Berlin';
/** From 02:00 to 03:00 at 07:00Z on 8 March 2026, and from 02:00 to 01:00 at 06:00Z on 1 November. */
const newYork = 'America/New_York';
/** From 02:00 to 02:30 at 15:30Z on 3 October 2026, and from 02:00 to 01:30 at 15:00Z on 4 April. */
const lordHowe = 'Australia/Lord_Howe';

describe('start of daylight saving time', () => {
  test.each([
    ['30 2 * * *', berlin, '2026-03-28T12:00Z', ['2026-03-29T01:30Z', '2026-03-30T00:30Z']],
    ['0 2 * * *', berlin, '2026-03-28T12:00Z', ['2026-03-29T01:00Z', '2026-03-30T00:00Z']],
    [
      '30 1,2,3 * * *',
      berlin,
      '2026-03-28T23:59Z',
      ['2026-03-29T00:30Z', '2026-03-29T01:30Z', '2026-03-29T23:30Z'],
    ],
    [
      '*/30 * * * *',
      berlin,
      '2026-03-29T00:00Z',
      ['2026-03-29T00:30Z', '2026-03-29T01:00Z', '2026-03-29T01:30Z'],
    ],
    ['30 2 * * 0', berlin, '2026-03-29T01:15Z', ['2026-03-29T01:30Z', '2026-04-05T00:30Z']],
    ['30 2 * * *', newYork, '2026-03-07T12:00Z', ['2026-03-08T07:30Z', '2026-03-09T06:30Z']],
    ['15 2 * * *', lordHowe, '2026-10-03T12:00Z', ['2026-10-03T15:45Z', '2026-10-04T15:15Z']],
    ['0 3 * * *', lordHowe, '2026-10-03T12:00Z', ['2026-10-03T16:00Z', '2026-10-04T16:00Z']],
  ])(
    'delays a skipped time by the length of the gap and runs it once: %s in %s',
    (cron, zone, from, ticks) => {
      expect(next(cron, zone, from, ticks.length)).toEqual(ticks);
    },
  );
});

describe('end of daylight saving time', () => {
  test.each([
    ['30 2 * * *', berlin, '2026-10-24T12:00Z', ['2026-10-25T00:30Z', '2026-10-26T01:30Z']],
    [
      '30 1,2,3 * * *',
      berlin,
      '2026-10-24T22:00Z',
      ['2026-10-24T23:30Z', '2026-10-25T00:30Z', '2026-10-25T02:30Z'],
    ],
    ['30 1 * * *', newYork, '2026-10-31T12:00Z', ['2026-11-01T05:30Z', '2026-11-02T06:30Z']],
    ['45 1 * * *', lordHowe, '2026-04-04T12:00Z', ['2026-04-04T14:45Z', '2026-04-05T15:15Z']],
  ])('runs a repeated time on its first occurrence: %s in %s', (cron, zone, from, ticks) => {
    expect(next(cron, zone, from, ticks.length)).toEqual(ticks);
  });

  test('skips the second occurrence even if the search starts between the two', () => {
    expect(next('30 2 * * *', berlin, '2026-10-25T00:45Z', 1)).toEqual(['2026-10-26T01:30Z']);
  });

  test('runs a pattern for every hour in both hours', () => {
    const ticks = ['2026-10-25T00:30Z', '2026-10-25T01:00Z', '2026-10-25T01:30Z', '2026-10-25T02:00Z'];
    expect(next('*/30 * * * *', berlin, '2026-10-25T00:00Z', 4)).toEqual(ticks);
  });
});

test.each([
  ['0 0 29 2 *', 'UTC', '2026-01-01T00:00Z', ['2028-02-29T00:00Z', '2032-02-29T00:00Z']],
  ['0 0 29 2 *', 'UTC', '2096-03-01T00:00Z', ['2104-02-29T00:00Z']],
  ['0 0 29 2 */7', 'UTC', '2026-01-01T00:00Z', ['2032-02-29T00:00Z', '2060-02-29T00:00Z']],
])('a leap day occurs in leap years only: %s', (cron, zone, from, ticks) => {
  expect(next(cron, zone, from, ticks.length)).toEqual(ticks);
});

test.each([
  ['30 0 1 1 *', berlin, '2026-12-31T12:00Z', ['2026-12-31T23:30Z', '2027-12-31T23:30Z']],
  ['59 23 31 12 *', newYork, '2026-12-31T12:00Z', ['2027-01-01T04:59Z', '2028-01-01T04:59Z']],
  ['0 0 31 * *', 'UTC', '2026-11-15T00:00Z', ['2026-12-31T00:00Z', '2027-01-31T00:00Z', '2027-03-31T00:00Z']],
])('a year ends at midnight of the time zone: %s in %s', (cron, zone, from, ticks) => {
  expect(next(cron, zone, from, ticks.length)).toEqual(ticks);
});

test.each([
  ['0 2 13 * 5', ['2026-02-06T02:00Z', '2026-02-13T02:00Z', '2026-02-20T02:00Z']],
  ['0 2 */2 * 5', ['2026-02-13T02:00Z', '2026-02-27T02:00Z', '2026-03-13T02:00Z']],
  ['0 2 * feb,APR Mon-Wed', ['2026-02-02T02:00Z', '2026-02-03T02:00Z', '2026-02-04T02:00Z']],
  ['0 2 * * 5-7', ['2026-02-01T02:00Z', '2026-02-06T02:00Z', '2026-02-07T02:00Z']],
])('days are selected by the rules of crontab(5): %s', (cron, ticks) => {
  expect(next(cron, 'UTC', '2026-02-01T00:00Z', 3)).toEqual(ticks);
});

test('the next ticks exclude the start time', () => {
  expect(next('0 2 * * *', 'UTC', '2026-02-01T02:00Z', 1)).toEqual(['2026-02-02T02:00Z']);
});

/** Two days around each change of the clocks; the last one is around none. */
const changes: readonly (readonly [string, string])[] = [
  [berlin, '2026-03-28T12:00Z'],
  [berlin, '2026-10-24T12:00Z'],
  [newYork, '2026-03-07T17:00Z'],
  [newYork, '2026-10-31T17:00Z'],
  [lordHowe, '2026-04-04T00:00Z'],
  [lordHowe, '2026-10-03T00:00Z'],
  // Changes at midnight, forward and back.
  ['America/Havana', '2026-03-07T12:00Z'],
  ['America/Havana', '2026-10-31T12:00Z'],
  ['Africa/Cairo', '2026-10-29T12:00Z'],
  // Changes by two hours.
  ['Antarctica/Troll', '2026-03-28T12:00Z'],
  ['Antarctica/Troll', '2026-10-24T12:00Z'],
  // Skips a day across the date line.
  ['Pacific/Apia', '2011-12-29T12:00Z'],
  ['Asia/Kolkata', '2026-03-28T12:00Z'],
];

const patterns = [
  '30 2 * * *',
  '*/15 * * * *',
  '5 * * * *',
  '* * * * *',
  '30 1,2,3 * * *',
  '*/20 1-3 * * *',
  '45 0-2 * * *',
  '40 1-23 * * *',
  '0 */3 * * *',
  '0 0 * * *',
  '30 23 * * *',
  '59 1 * * *',
  '10 0 * * 0',
  '0 2 1 * 1-5',
  '15 2 30 * *',
];

describe.each(changes)('ticks in %s from %s on', (zone, from) => {
  const fromMs = Date.parse(from);
  const toMs = fromMs + 2.5 * 86_400_000;
  const observations = walkClock(zone, fromMs, toMs);
  const clock = parseTimeZone(zone, '--tz');

  test.each(patterns)('of %s equal those of a minute-by-minute walk from any start', (cron) => {
    const walked = ticksOfWalk(cron, observations).filter((tick) => tick > fromMs);
    const pattern = parseCron(cron, '--cron');
    const found: number[] = [];
    for (const tick of ticksAfter(pattern, clock, fromMs)) {
      if (tick >= toMs) break;
      found.push(tick);
    }
    expect(found.filter((tick) => !walked.includes(tick))).toEqual([]);
    expect(found).toHaveLength(walked.length);
    for (let startMs = fromMs; startMs < (walked.at(-1) ?? 0); startMs += 55 * 60_000) {
      const wanted = walked.find((tick) => tick > startMs);
      expect(nextTicks(pattern, clock, new Date(startMs), 1)[0]?.getTime()).toBe(wanted);
    }
  });
});
