import cronstrue from 'cronstrue';
import type { CronPattern } from './cron.ts';

/** Describes a pattern in plain words with the 24-hour clock: `At 02:00, Monday through Friday`. */
export function describeCron({ text, days }: CronPattern): string {
  return cronstrue.toString(text, { use24HourTimeFormat: true, logicalAndDayFields: days === 'both' });
}
