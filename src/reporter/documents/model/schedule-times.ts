import type { ReportedSchedule } from '../../../core/reports/schedule-data.ts';
import { parseCron } from '../../../core/schedules/cron.ts';
import { describeCron } from '../../../core/schedules/describe-cron.ts';

/** When a schedule runs, in plain words: `at 02:00, Monday through Friday (Europe/Berlin)`. */
export function scheduleTimes({ cron, timeZone }: ReportedSchedule): string {
  const words = describeCron(parseCron(cron, 'cron'));
  return `${words.charAt(0).toLowerCase()}${words.slice(1)} (${timeZone})`;
}
