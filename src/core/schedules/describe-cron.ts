import cronstrue from 'cronstrue';
import type { CronPattern } from './cron.ts';

/** A pattern in plain words, by the 24-hour clock: `At 02:00, Monday through Friday`. */
export function describeCron({ text, days }: CronPattern): string {
  return cronstrue.toString(text, { use24HourTimeFormat: true, logicalAndDayFields: days === 'both' });
}
