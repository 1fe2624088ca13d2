import { isDay } from '../../../core/time/day.ts';
import { text } from '../../http/text.ts';

/** First and last day of a query. The tz database has no reliable data outside of them. */
const [firstDay, lastDay] = ['1970-01-01', '2199-12-31'];

/** A day in a query. */
export const dayField = text()
  .refine((day) => isDay(day) && day >= firstDay && day <= lastDay, {
    error: `must be a day from ${firstDay} to ${lastDay}, such as 2026-03-01`,
  })
  .openapi({ format: 'date', example: '2026-03-01' });

/** Time zone of the days. */
export const zoneField = text().max(64).default('UTC').openapi({
  description: 'Time zone of the days: a name in the tz database. Default: UTC.',
  example: 'Europe/Berlin',
});
