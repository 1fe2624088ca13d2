import { ValidationError } from '../errors.ts';
import { isDay } from './day.ts';
import { changeNear, timesOf, type TimeZone } from './time-zone.ts';
import { zonedTime } from './zoned-time.ts';

const form = /^(\d{4}-\d{2}-\d{2})(?:T| +)(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)(Z| *UTC|[+-]\d{2}:?\d{2})?$/;

/**
 * Parses a day with a time, such as `2026-11-22 02:13`; with `Z`, `UTC` or an offset it is independent of `zone`.
 *
 * @param zone applies to a time without one of its own.
 * @throws ValidationError that names `where`, an option or a field; also for a local time that the zone has twice, or not at all, with the
 * moments that can be meant.
 */
export function parseMoment(
  text: string,
  { where, zone }: { readonly where: string; readonly zone: Pick<TimeZone, 'offsetMsAt'> },
): Date {
  const [, day = '', time, offset] = form.exec(text.trim()) ?? [];
  const shownMs = Date.parse(`${day}T${time}Z`);
  if (!isDay(day) || Number.isNaN(shownMs)) throw invalid(text, where);
  if (offset !== undefined) {
    const moment = new Date(`${day}T${time}${offset.trim().replace('UTC', 'Z')}`);
    if (Number.isNaN(moment.getTime())) throw invalid(text, where);
    return moment;
  }
  const change = changeNear(zone, shownMs);
  const times = timesOf(change, shownMs);
  const [only] = times;
  if (only !== undefined && times.length === 1) return new Date(only);
  const isTwice = times.length === 2;
  const meant = isTwice ? times : [shownMs - change.afterMs, shownMs - change.beforeMs];
  throw new ValidationError(
    `${where} ${text}: this time ${isTwice ? 'occurs twice' : 'does not exist'} in your time zone, because the clocks change. ` +
      `Write ${meant.map((timeMs) => zonedTime(new Date(timeMs), zone)).join(' or ')}.`,
  );
}

function invalid(text: string, where: string): ValidationError {
  return new ValidationError(
    `${where} ${text}: write a day and a time, such as "2026-11-22 02:13" in your time zone, or 2026-11-22T02:13Z.`,
  );
}
