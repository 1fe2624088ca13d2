/** Unit of a stored time, as a number of them in a second. */
export type TimeUnits = 1_000n | 1_000_000n | 1_000_000_000n;

const daySeconds = 86_400n;

/** Returns the date of a day since 1970-01-01; null beyond the years of ISO 8601. */
export function dayText(days: bigint): string | null {
  const date = new Date(Number(days) * 86_400_000);
  const text = Number.isNaN(date.getTime()) ? '' : date.toISOString();
  return /^[0-9]{4}-/.test(text) ? text.slice(0, 10) : null;
}

/** Returns a time of day, with the fraction of the second where there is one. */
export function timeText(value: bigint, units: TimeUnits): string {
  const seconds = value / units;
  const fraction = value % units;
  const clock = [seconds / 3_600n, (seconds / 60n) % 60n, seconds % 60n].map((part) =>
    String(part).padStart(2, '0'),
  );
  if (fraction === 0n) return clock.join(':');
  const digits = String(units).length - 1;
  return `${clock.join(':')}.${String(fraction).padStart(digits, '0').replace(/0+$/, '')}`;
}

/** Returns a point in time since 1970-01-01, such as `2026-11-25 14:30:00.5`; null beyond the years of ISO 8601. */
export function timestampText(value: bigint, units: TimeUnits): string | null {
  const perDay = daySeconds * units;
  // Division rounds towards zero; days before 1970 are whole days too.
  const inDay = ((value % perDay) + perDay) % perDay;
  const day = dayText((value - inDay) / perDay);
  return day === null ? null : `${day} ${timeText(inDay, units)}`;
}
