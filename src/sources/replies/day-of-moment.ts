import { z } from 'zod';
import { day } from './wire-fields.ts';

const moment =
  /^(?<date>\d{4}-\d{2}-\d{2})[T ](?<time>([01]\d|2[0-3]):[0-5]\d:[0-5]\d)(\.\d+)? ?(?<zone>Z|[+-]\d{2}:\d{2})$/;

/**
 * UTC day of an ISO 8601 moment, `2026-01-28T21:06:34Z`; also with spaces before the time and the zone, as in `2024-02-27
 * 01:02:34 +00:00`. A moment without a zone has no UTC day and is invalid.
 */
export const dayOfMoment = z.string().transform((text, context): string => {
  const { date = '', time = '', zone = '' } = moment.exec(text)?.groups ?? {};
  const at = Date.parse(`${date}T${time}${zone}`);
  const utcDay = Number.isNaN(at) ? null : day.safeParse(new Date(at).toISOString().slice(0, 10));
  if (day.safeParse(date).success && utcDay?.success === true) return utcDay.data;
  context.addIssue({ code: 'custom', message: 'expected a moment that exists, with its zone' });
  return z.NEVER;
});
