const dayForm = /^(\d{4})-(\d\d)-(\d\d)$/;
const daysInMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Parses a calendar day `YYYY-MM-DD`; null for anything else.
 *
 * Without `Date`, which reads February 31 as a day in March: this runs several times for each of a million rows. The year 0 is
 * invalid, as in Postgres.
 */
export function parseDay(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const parts = dayForm.exec(value);
  if (parts === null) return null;
  const year = Number(parts[1]);
  const month = Number(parts[2]);
  const day = Number(parts[3]);
  const days = daysInMonth[month - 1];
  if (days === undefined || year === 0 || day === 0 || day > days) return null;
  return month === 2 && day === 29 && !isLeapYear(year) ? null : value;
}

const moment =
  /^(?<date>\d{4}-\d\d-\d\d)[T ](?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d)(?::[0-5]\d(?:\.\d+)?)?(?: ?(?<zone>Z|UTC|[+-]\d\d(?::?\d\d)?))?$/i;

/**
 * UTC day of a day or a moment: as `parseDay`, and as BigQuery and its tools write moments (`2024-01-02 00:00:00 UTC`,
 * `2024-01-02T00:00:00Z`, `2024-01-02 01:00:00+01:00`). A moment without a zone is UTC, like BigQuery's DATETIME. Null for
 * anything else.
 */
export function parseDayOrMoment(value: unknown): string | null {
  const day = parseDay(value);
  if (day !== null || typeof value !== 'string') return day;
  const { date = '', hour, minute, zone = 'Z' } = moment.exec(value)?.groups ?? {};
  if (parseDay(date) === null) return null;
  const shift = minutesOf(zone);
  if (shift === 0) return date;
  const minutes = Number(hour) * 60 + Number(minute) - shift;
  return parseDay(new Date(Date.parse(date) + minutes * 60_000).toISOString().slice(0, 10));
}

/** Offset of a zone from UTC, in minutes. */
function minutesOf(zone: string): number {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  const ahead = Number(hours ?? 0) * 60 + Number(minutes);
  return sign === '-' ? -ahead : ahead;
}

function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}
