/** Parts of a date that a number format shows. `elapsed`: hours beyond 24, as in `[h]:mm`. */
export type DateParts = 'date' | 'time' | 'datetime' | 'elapsed';

/** Parts of a date, with fractions of a second or without. */
export interface DateForm {
  readonly parts: DateParts;
  /** Default: false. */
  readonly hasFractions?: boolean;
}

const daySeconds = 86_400;
/** Serial number of 9999-12-31, the last date of Excel. */
const serialMax = 2_958_465;
/** Days from 1904-01-01 to its serial number in the system of 1900. */
const days1904 = 1_462;

/**
 * Returns a serial number of Excel as ISO 8601 text: `2026-11-25`, `14:30:00` or `2026-11-25 14:30:00`, rounded to seconds, or to milliseconds
 * where the format shows fractions of a second.
 *
 * Serial number 60 is the 29 February 1900 of Excel, a day that did not exist. Numbers that are no date (Excel shows `####`) return null.
 *
 * @param isFrom1904 true for a workbook that counts its days from 1904.
 */
export function dateText(
  serial: number,
  { parts, hasFractions = false }: DateForm,
  isFrom1904: boolean,
): string | null {
  if (!Number.isFinite(serial) || serial < 0) return null;
  const steps = hasFractions ? 1000 : 1;
  const rounded = Math.round(serial * daySeconds * steps);
  const seconds = Math.floor(rounded / steps);
  const fraction = hasFractions ? `.${String(rounded % steps).padStart(3, '0')}` : '';
  if (parts === 'elapsed') return clockText(seconds) + fraction;
  if (parts === 'time') return clockText(seconds % daySeconds) + fraction;
  const days = Math.floor(seconds / daySeconds) + (isFrom1904 ? days1904 : 0);
  if (days > serialMax) return null;
  const clock = clockText(seconds % daySeconds) + fraction;
  // Excel shows 1900-01-00 for day 0, which is a time without a day, or an empty date.
  if (days === 0) return parts === 'date' ? null : clock;
  return parts === 'date' ? dayText(days) : `${dayText(days)} ${clock}`;
}

function dayText(days: number): string {
  if (days === 60) return '1900-02-29';
  const known = dayTexts.get(days);
  if (known !== undefined) return known;
  const sinceEpoch = days - (days < 60 ? 25_568 : 25_569);
  const text = new Date(sinceEpoch * daySeconds * 1000).toISOString().slice(0, 10);
  if (dayTexts.size < dayTextsMax) dayTexts.set(days, text);
  return text;
}

/** Texts of days that occurred: a list has the same ones again and again. 27 years. */
const dayTexts = new Map<number, string>();
const dayTextsMax = 10_000;

function clockText(seconds: number): string {
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${pad(Math.floor(seconds / 3600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`;
}

/**
 * Returns an ISO 8601 date of a file in the form of `dateText`. A time of midnight is left out, unless the format shows it; an offset of UTC
 * is kept. Text that is not such a date is returned as it is.
 */
export function isoDateText(text: string, parts: DateParts | null): string {
  const match =
    /^([0-9]{4,}-[0-9]{2}-[0-9]{2})(?:[T ]([0-9]{2}:[0-9]{2})(?::([0-9]{2})(?:\.[0-9]+)?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?$/.exec(
      text,
    );
  if (match === null) return text;
  const [, day = '', minutes, seconds = '00', offset = ''] = match;
  const clock = `${minutes}:${seconds}`;
  const isDay = minutes === undefined || parts === 'date';
  if (isDay || (parts === null && clock === '00:00:00')) return day;
  return parts === 'time' ? clock : `${day} ${clock}${offset}`;
}
