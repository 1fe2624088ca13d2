import { describe, expect, test } from 'vitest';
import { ValidationError } from '../../../../../src/core/errors.ts';
import { parseCron } from '../../../../../src/core/schedules/cron.ts';
import { describeCron } from '../../../../../src/core/schedules/describe-cron.ts';

describe('parseCron', () => {
  test('keeps the text of a pattern, with single spaces', () => {
    expect(parseCron('  0  2 *\t* 1-5 ', '--cron').text).toBe('0 2 * * 1-5');
  });

  test('parses lists, ranges, steps and names', () => {
    expect(parseCron('5,10-12 */6 1-10/4 Jan,mar-MAY sat-7', '--cron')).toMatchObject({
      minutes: [5, 10, 11, 12],
      hours: [0, 6, 12, 18],
      daysOfMonth: new Set([1, 5, 9]),
      months: new Set([1, 3, 4, 5]),
      weekdays: new Set([6, 0]),
      days: 'either',
    });
  });

  test.each([
    ['@hourly', '0 * * * *'],
    [' @Daily ', '0 0 * * *'],
    ['@midnight', '0 0 * * *'],
    ['@weekly', '0 0 * * 0'],
    ['@monthly', '0 0 1 * *'],
    ['@yearly', '0 0 1 1 *'],
    ['@annually', '0 0 1 1 *'],
  ])('expands the name %s as crontab(5) does', (name, fields) => {
    expect(parseCron(name, '--cron')).toEqual(parseCron(fields, '--cron'));
  });

  test.each([
    ['61 2 * * *', 'its minute, "61",'],
    ['0 24 * * *', 'its hour, "24",'],
    ['0 2 0 * *', 'its day of the month, "0",'],
    ['0 2 * 13 *', 'its month, "13",'],
    ['0 2 * * 8', 'its day of the week, "8",'],
    ['0 22-2 * * *', 'its hour, "22-2",'],
    ['0 2 * * 1,1', 'its day of the week, "1,1",'],
    ['*/0 2 * * *', 'its minute, "*/0",'],
    ['jan 2 * * *', 'its minute, "jan", is not a number, list, range or step.'],
    ['0 2 * * L', 'its day of the week, "L", is not a number, list, range or step.'],
    ['H 2 * * *', 'its minute, "H", is not a number, list, range or step.'],
    ['1-2-3 2 * * *', 'its minute, "1-2-3", is not a number, list, range or step.'],
    [', 2 * * *', 'its minute, ",", is not a number, list, range or step.'],
  ])('names the invalid field: %s', (text, reported) => {
    expect(() => parseCron(text, '--cron')).toThrow(ValidationError);
    expect(() => parseCron(text, '--cron')).toThrow(`--cron "${text}": ${reported}`);
  });

  test.each(['', '0 2 * *', '@reboot', '@nightly', 'every day', '0 2 * * * * *'])(
    'requires five fields: %j',
    (text) => {
      expect(() => parseCron(text, 'cron')).toThrow(`cron "${text}": write five fields: minute, hour,`);
    },
  );

  test('rejects a field for seconds with a specific message', () => {
    expect(() => parseCron('0 0 2 * * *', '--cron')).toThrow(
      'a field for seconds is not supported; write five',
    );
  });

  test('rejects a text that is too long', () => {
    expect(() => parseCron('1,'.repeat(1000), '--cron')).toThrow('write five fields');
  });

  test.each(['0 2 31 2 *', '0 2 30 2 *', '0 2 31 4,6,9,11 *', '0 2 31 2 */2'])(
    'rejects a pattern that never runs: %s',
    (text) => {
      expect(() => parseCron(text, '--cron')).toThrow('it would never run');
    },
  );

  test('accepts a pattern that runs on another day of that month', () => {
    expect(parseCron('0 2 31 2 1', '--cron').days).toBe('either');
    expect(parseCron('0 2 29 2 *', '--cron').days).toBe('both');
  });
});

test.each([
  ['0 2 * * 1-5', 'At 02:00, Monday through Friday'],
  ['*/15 * * * *', 'Every 15 minutes'],
  ['30 1,2,3 * * *', 'At 01:30, 02:30 and 03:30'],
  ['0 0 1 * 1', 'At 00:00, on day 1 of the month, and on Monday'],
  ['0 0 */2 * 1', 'At 00:00, every 2 days in a month, only on Monday'],
  ['0 14 29 2 *', 'At 14:00, on day 29 of the month, only in February'],
])('description of %s is: %s', (text, description) => {
  expect(describeCron(parseCron(text, '--cron'))).toBe(description);
});
