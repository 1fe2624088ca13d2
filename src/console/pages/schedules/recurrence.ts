/** Recurrence of a schedule in the fields of the form. */
export interface Recurrence {
  readonly every: Frequency;
  /** Local time, `02:00`. */
  readonly time: string;
  /** From 0, Sunday. */
  readonly weekday: number;
  readonly dayOfMonth: number;
  /** Cron expression, for everything else. */
  readonly pattern: string;
}

/** Choice of a recurrence. */
export type Frequency = (typeof frequencies)[number][0];

/** Recurrences to choose from, with their labels. */
export const frequencies = [
  ['day', 'Every day'],
  ['workday', 'Monday to Friday'],
  ['week', 'Once a week'],
  ['month', 'Once a month'],
  ['hour', 'Every hour'],
  ['pattern', 'Custom (cron)'],
] as const;

/** Names of the weekdays, Sunday first as in cron. */
export const weekdays = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const;

/** Default recurrence of a new schedule: every night. */
export const defaultRecurrence: Recurrence = {
  every: 'day',
  time: '02:00',
  weekday: 1,
  dayOfMonth: 1,
  pattern: '0 2 * * *',
};

/** Converts a recurrence to a cron expression. */
export function toCron({ every, time, weekday, dayOfMonth, pattern }: Recurrence): string {
  const [hour, minute] = time.split(':').map(Number);
  const at = `${minute ?? 0} ${hour ?? 0}`;
  switch (every) {
    case 'day':
      return `${at} * * *`;
    case 'workday':
      return `${at} * * 1-5`;
    case 'week':
      return `${at} * * ${weekday}`;
    case 'month':
      return `${at} ${dayOfMonth} * *`;
    case 'hour':
      return `${minute ?? 0} * * * *`;
    case 'pattern':
      return pattern.trim();
  }
}

/** Parses a cron expression into one of the choices, else keeps it as a custom one. */
export function parseRecurrence(cron: string): Recurrence {
  const own = { ...defaultRecurrence, pattern: cron };
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = cron.trim().split(/\s+/);
  if (month !== '*' || !/^\d{1,2}$/.test(minute)) return { ...own, every: 'pattern' };
  const withTime = { ...own, time: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}` };
  if (hour === '*' && day === '*' && weekday === '*')
    return { ...own, every: 'hour', time: `00:${minute.padStart(2, '0')}` };
  if (!/^\d{1,2}$/.test(hour)) return { ...own, every: 'pattern' };
  if (day === '*' && weekday === '*') return { ...withTime, every: 'day' };
  if (day === '*' && weekday === '1-5') return { ...withTime, every: 'workday' };
  if (day === '*' && /^[0-6]$/.test(weekday)) return { ...withTime, every: 'week', weekday: Number(weekday) };
  if (/^\d{1,2}$/.test(day) && weekday === '*')
    return { ...withTime, every: 'month', dayOfMonth: Number(day) };
  return { ...own, every: 'pattern' };
}
