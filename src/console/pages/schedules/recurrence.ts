/** When a schedule runs, as it is chosen in the form. */
export interface When {
  readonly every: Every;
  /** `02:00`. */
  readonly time: string;
  /** From 0, Sunday. */
  readonly weekday: number;
  readonly dayOfMonth: number;
  /** As it is written by hand, for everything else. */
  readonly pattern: string;
}

export type Every = (typeof everies)[number][0];

/** Recurrences to choose from, with their labels. */
export const everies = [
  ['day', 'Every day'],
  ['workday', 'Monday to Friday'],
  ['week', 'Once a week'],
  ['month', 'Once a month'],
  ['hour', 'Every hour'],
  ['pattern', 'A pattern of my own'],
] as const;

export const weekdays = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const;

/** Default recurrence of a new schedule: at night. */
export const standardWhen: When = {
  every: 'day',
  time: '02:00',
  weekday: 1,
  dayOfMonth: 1,
  pattern: '0 2 * * *',
};

/** The cron pattern that says it. */
export function toCron({ every, time, weekday, dayOfMonth, pattern }: When): string {
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

/** Recurrence of a pattern, where it is one to choose from; else the pattern itself. */
export function readCron(cron: string): When {
  const own = { ...standardWhen, pattern: cron };
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
