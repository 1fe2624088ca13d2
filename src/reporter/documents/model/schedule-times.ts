import type { ReportedSchedule } from '../../../core/reports/schedule-data.ts';
import { parseCron } from '../../../core/schedules/cron.ts';
import { describeCron } from '../../../core/schedules/describe-cron.ts';

/** Describes the recurrence of a schedule: `at 02:00, Monday through Friday (Europe/Berlin)`. */
export function scheduleTimes({ cron, timeZone }: ReportedSchedule): string {
  const description = describeCron(parseCron(cron, 'cron'));
  return `${description.charAt(0).toLowerCase()}${description.slice(1)} (${timeZone})`;
}
