import { isDay } from '../../../core/time/day.ts';
import { text } from '../../http/text.ts';

/** Outside of these no zone is known, and nothing of ours has happened. */
const [firstDay, lastDay] = ['1970-01-01', '2199-12-31'];

/** A day in a query. */
export const dayField = text()
  .refine((day) => isDay(day) && day >= firstDay && day <= lastDay, {
    error: `must be a day from ${firstDay} to ${lastDay}, such as 2026-03-01`,
  })
  .openapi({ format: 'date', example: '2026-03-01' });

/** Time zone of the days. */
export const zoneField = text()
  .max(64)
  .default('UTC')
  .openapi({ description: 'Whose days: a name in the tz database. Default: UTC.', example: 'Europe/Berlin' });
