import { z } from 'zod';
import { dayOfMoment } from '../../replies/day-of-moment.ts';
import { day, dayOfSeconds } from '../../replies/wire-fields.ts';
import { valueAt } from '../json-path.ts';
import type { DatedMap, DateForm } from '../map-ad.ts';
import { isMissing } from './where.ts';

/** A whole number, or a text of up to that many digits. */
const digits = (max: number) =>
  z.union([
    z.int(),
    z
      .string()
      .regex(new RegExp(`^\\d{1,${max}}$`))
      .transform(Number),
  ]);

/** A moment whose zone may lack its colon: `2026-07-02T10:11:12+0000`. */
const moment = z
  .string()
  .transform((text) => text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'))
  .pipe(dayOfMoment);

/** `20260702` as a number or a text. */
const compactDay = z
  .union([z.int().transform(String), z.string()])
  .refine((text) => /^\d{8}$/.test(text), 'expected a date such as 20260702')
  .transform((text) => text.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3'))
  .pipe(day);

const shapes: Readonly<Record<DateForm, z.ZodType<string>>> = {
  day,
  iso: moment,
  epoch_seconds: digits(12).pipe(dayOfSeconds),
  epoch_ms: digits(15)
    .transform((ms) => Math.floor(ms / 1000))
    .pipe(dayOfSeconds),
  compact_day: compactDay,
};

/** Shape of a date by the map. A day after `today` becomes null if the map says that it is only planned. */
export function dateShape(map: DatedMap | undefined, today: string): z.ZodType<string | null> {
  const [first = day, ...others] = (map?.forms ?? ['day']).map((form) => shapes[form]);
  const shape = others.length === 0 ? first : z.union([first, ...others]);
  return shape.transform((read) => (map?.notFuture === true && read > today ? null : read));
}

/** Picks the first date that the row has; undefined without any of its keys. */
export function pickDate(row: unknown, map: DatedMap | undefined): unknown {
  if (map === undefined) return null;
  const values = map.paths.map((path) => valueAt(row, path));
  const first = values.find((value) => !isMissing(value));
  if (first !== undefined) return first;
  return values.every((value) => value === undefined) ? undefined : null;
}
