const dayForm = /^(\d{4})-(\d\d)-(\d\d)$/;
const daysInMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * A real calendar day as `YYYY-MM-DD`, or null for anything else.
 *
 * Checked by hand and not by `Date`, which takes the 31st of February for March: this runs several times for each of a
 * million rows. The year 0 is none, for Postgres as for the calendar.
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

function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}
