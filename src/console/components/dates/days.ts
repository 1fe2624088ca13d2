import { dateFormat } from './date-language.ts';

const dayMs = 86_400_000;
const days = dateFormat({ dateStyle: 'medium', timeZone: 'UTC' });
const localTimes = dateFormat({
  ...{ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit', timeZone: 'UTC' },
});

/** Time zone of the browser. */
export function browserTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Lists the days from one to another, both included; `YYYY-MM-DD`. */
export function listDays(from: string, to: string): readonly string[] {
  const first = startOf(from);
  const count = Math.max(0, Math.round((startOf(to) - first) / dayMs) + 1);
  return Array.from({ length: count }, (_, i) => new Date(first + i * dayMs).toISOString().slice(0, 10));
}

/** Returns the day this many days later; earlier for a negative count. */
export function addDays(day: string, count: number): string {
  return new Date(startOf(day) + count * dayMs).toISOString().slice(0, 10);
}

/** Counts the days from one to another, both included. */
export function countDays(from: string, to: string): number {
  return Math.round((startOf(to) - startOf(from)) / dayMs) + 1;
}

/** Returns the day of a time in the time zone of the browser. */
export function localDay(at: string): string {
  const moment = new Date(at);
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

/** Formats a day: "5 Mar 2026". */
export function formatDay(day: string): string {
  return days(startOf(day));
}

/** Formats a local time as written, regardless of its offset: `2026-03-05T02:00:00+01:00` is "Thu, 5 Mar 2026, 02:00". */
export function formatLocal(time: string): string {
  return localTimes(Date.parse(`${time.slice(0, 19)}Z`));
}

function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}
