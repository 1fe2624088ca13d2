import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ad } from '../../../../../../src/sources/mapped/map-ad.ts';
import { dateShape, pickDate } from '../../../../../../src/sources/mapped/fields/dates.ts';

const datedBy = (start: object) => ad.parse({ advertiser_id: 'a', creative_id: 'c', start }).start;
const today = '2026-07-03';
const read = (form: string | readonly string[], value: unknown, more: object = {}) =>
  dateShape(datedBy({ path: 'at', form, ...more }), today).safeParse(value).data;

const forms: readonly (readonly [string, (at: Date) => unknown])[] = [
  ['day', (at) => at.toISOString().slice(0, 10)],
  ['iso', (at) => at.toISOString()],
  ['iso', (at) => at.toISOString().replace(/\.\d+Z$/, '+0000')],
  ['epoch_seconds', (at) => Math.floor(at.getTime() / 1000)],
  ['epoch_ms', (at) => at.getTime()],
  ['epoch_ms', (at) => String(at.getTime())],
  ['compact_day', (at) => Number(at.toISOString().slice(0, 10).replaceAll('-', ''))],
  ['compact_day', (at) => at.toISOString().slice(0, 10).replaceAll('-', '')],
];

describe('a date of a source map', () => {
  test.each(forms)('in the form %s is its UTC day, whatever the moment', (form, write) => {
    const moments = fc.date({
      min: new Date('1970-01-02'),
      max: new Date('2099-12-31'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(moments, (at) => {
        expect(read(form, write(at))).toBe(at.toISOString().slice(0, 10));
      }),
    );
  });

  test.each([
    ['iso', '2026-07-02T23:30:00-0130', '2026-07-03'],
    ['iso', '2026-07-02T10:11:12', undefined],
    ['compact_day', 20_261_301, undefined],
    ['compact_day', 2_026_070, undefined],
    ['epoch_ms', -1, undefined],
    ['day', '20260702', undefined],
  ])('in the form %s reads %j as %s', (form, value, expected) => {
    expect(read(form, value)).toBe(expected);
  });

  test('has one of several forms', () => {
    expect([read(['day', 'iso'], '2026-07-02'), read(['day', 'iso'], '2026-07-02T10:11:12+0000')]).toEqual([
      '2026-07-02',
      '2026-07-02',
    ]);
    expect(read(['day', 'iso'], 20_260_702)).toBeUndefined();
  });

  test('is null if it is only planned', () => {
    expect(read('day', today, { not_future: true })).toBe(today);
    expect(read('day', '2026-07-04', { not_future: true })).toBeNull();
    expect(read('day', '2026-07-04')).toBe('2026-07-04');
  });

  test('is the first of several paths that has one', () => {
    const map = datedBy({ first_of: ['a', 'b'], form: 'day' });
    expect([{ a: null, b: 'x' }, { b: null }, {}].map((row) => pickDate(row, map))).toEqual([
      'x',
      null,
      undefined,
    ]);
  });
});
