import type { TimeZone } from './time-zone.ts';

const minuteMs = 60_000;

/** Formats a moment in a time zone with its offset: `2026-03-05T02:00:00+01:00`. */
export function zonedTime(at: Date, { offsetMsAt }: Pick<TimeZone, 'offsetMsAt'>): string {
  const offsetMs = offsetMsAt(at.getTime());
  const shown = new Date(at.getTime() + offsetMs).toISOString().slice(0, 19);
  const minutes = Math.abs(Math.trunc(offsetMs / minuteMs));
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((each) =>
    String(each).padStart(2, '0'),
  );
  return `${shown}${offsetMs < 0 ? '-' : '+'}${hour}:${minute}`;
}
