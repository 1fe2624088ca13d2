import { ValidationError } from '../errors.ts';

/** Time zone as offsets from UTC. */
export interface TimeZone {
  /** Name in the tz database. */
  readonly name: string;
  /** Offset from UTC at this time, in milliseconds; negative west of it. Times count from 1970-01-01, UTC. */
  readonly offsetMsAt: (timeMs: number) => number;
}

const dayMs = 86_400_000;
const nameForm = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;
const charsMax = 64;

/**
 * The time zone of this name, from the tz database of this version of Node.
 *
 * @throws ValidationError that names `where`, an option or a field.
 */
export function parseTimeZone(text: string, where: string): TimeZone {
  const name = text.trim();
  const zone = name.length <= charsMax && nameForm.test(name) ? openZone(name) : null;
  if (zone !== null) return zone;
  throw new ValidationError(
    `${where} "${name.slice(0, charsMax)}": unknown time zone. Use its name in the tz database, such as ` +
      'Europe/Berlin, America/New_York or UTC.',
  );
}

/** Time zone of this machine. */
export function machineZone(): string {
  return new Intl.DateTimeFormat('en').resolvedOptions().timeZone;
}

/** Offsets of the time zone of this machine, which has no name if its setting gives none. */
export const localOffsets: Pick<TimeZone, 'offsetMsAt'> = {
  offsetMsAt: (timeMs) => -60_000 * new Date(timeMs).getTimezoneOffset(),
};

/** Local day at a time, counted from 1970-01-01. */
export function dayAt(zone: TimeZone, timeMs: number): number {
  return Math.floor((timeMs + zone.offsetMsAt(timeMs)) / dayMs);
}

/** Start of a local day: the first time that belongs to it. */
export function startOfDay(zone: TimeZone, day: number): number {
  const change = changeNear(zone, day * dayMs);
  const [start] = timesOf(change, day * dayMs);
  return start ?? change.atMs;
}

/** A change of a zone's offset near a time; without one, both offsets are the same. */
export interface ClockChange {
  readonly beforeMs: number;
  readonly afterMs: number;
  /** From here on the second offset applies. */
  readonly atMs: number;
}

/** The change within a day and a half of a local time. */
export function changeNear({ offsetMsAt }: Pick<TimeZone, 'offsetMsAt'>, shownMs: number): ClockChange {
  let [sooner, later] = [shownMs - 1.5 * dayMs, shownMs + 1.5 * dayMs];
  const [beforeMs, afterMs] = [offsetMsAt(sooner), offsetMsAt(later)];
  if (beforeMs === afterMs) return { beforeMs, afterMs, atMs: -Infinity };
  while (later - sooner > 1) {
    const middle = Math.floor((sooner + later) / 2);
    if (offsetMsAt(middle) === beforeMs) sooner = middle;
    else later = middle;
  }
  return { beforeMs, afterMs, atMs: later };
}

/** Times with this local time around a change: one, two, or none if it is skipped; in ascending order. */
export function timesOf({ beforeMs, afterMs, atMs }: ClockChange, shownMs: number): readonly number[] {
  const [before, after] = [shownMs - beforeMs, shownMs - afterMs];
  return [...(before < atMs ? [before] : []), ...(after >= atMs ? [after] : [])];
}

/** Creating a format takes longer than a thousand uses of it, and there are a few hundred zones. */
const formats = new Map<string, Intl.DateTimeFormat>();

function openZone(name: string): TimeZone | null {
  const format = formats.get(name) ?? openFormat(name);
  if (format === null) return null;
  formats.set(name, format);
  const { timeZone } = format.resolvedOptions();
  const isSame = timeZone.toLowerCase() === name.toLowerCase();
  return { name: isSame ? timeZone : name, offsetMsAt: (timeMs) => readClock(format, timeMs) - timeMs };
}

function openFormat(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-u-ca-iso8601-hc-h23', {
      timeZone,
      ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Reads the local time of a zone as if it were UTC. */
function readClock(format: Intl.DateTimeFormat, timeMs: number): number {
  const [year = 0, month = 1, day = 0, hour = 0, minute = 0, second = 0] = (
    format.format(timeMs).match(/\d+/g) ?? []
  ).map(Number);
  const days = Date.UTC(year, month - 1, day);
  const subseconds = ((timeMs % 1000) + 1000) % 1000;
  return days + ((hour * 60 + minute) * 60 + second) * 1000 + subseconds;
}
