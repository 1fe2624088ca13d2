import { CronExpressionParser } from 'cron-parser';
import { ValidationError } from '../errors.ts';

/** Local times at which a schedule runs: five fields as in crontab(5). */
export interface CronPattern {
  /** As written, with single spaces; the five fields of a name such as `@daily`. */
  readonly text: string;
  /** In ascending order. */
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly daysOfMonth: ReadonlySet<number>;
  /** From 1 for January. */
  readonly months: ReadonlySet<number>;
  /** From 0 for Sunday. */
  readonly weekdays: ReadonlySet<number>;
  /** Combination of the two day fields: a day must match both, or one of them. */
  readonly days: 'both' | 'either';
}

type FieldName = 'minute' | 'hour' | 'dayOfMonth' | 'month' | 'dayOfWeek';

interface Field {
  readonly name: FieldName;
  /** Display name. */
  readonly title: string;
  /** Names of the values. */
  readonly names: readonly string[];
}

const fields: readonly Field[] = [
  { name: 'minute', title: 'minute', names: [] },
  { name: 'hour', title: 'hour', names: [] },
  { name: 'dayOfMonth', title: 'day of the month', names: [] },
  { name: 'month', title: 'month', names: 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ') },
  { name: 'dayOfWeek', title: 'day of the week', names: 'sun mon tue wed thu fri sat'.split(' ') },
];

/** Names of patterns (crontab(5)). `@reboot` is not a time. */
const namedPatterns = new Map([
  ['@hourly', '0 * * * *'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@weekly', '0 0 * * 0'],
  ['@monthly', '0 0 1 * *'],
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
]);

const charsMax = 200;
const dayMs = 86_400_000;
/** Maximum length of each month. */
const longestMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Parses a cron pattern of five fields: minute, hour, day of the month, month, day of the week. Lists, ranges, steps and
 * English names of months and weekdays are allowed; seconds are not. A name such as `@daily` stands for its five fields.
 *
 * If both day fields are restricted, a day that matches either of them counts; it must match both if one of them starts with
 * `*` (crontab(5)).
 *
 * @throws ValidationError that names `where`, an option or a field, and the invalid part. A pattern that never matches, such as
 * February 31, is rejected too.
 */
export function parseCron(text: string, where: string): CronPattern {
  const named = namedPatterns.get(text.trim().toLowerCase());
  const parts = text.length > charsMax ? [] : (named ?? text.trim()).split(/\s+/);
  if (parts.length !== fields.length) throw refusal(text, where, fieldsHint(parts.length));
  const [minutes = [], hours = [], daysOfMonth = [], months = [], weekdays = []] = fields.map((field, i) => {
    const values = readField(field, parts[i] ?? '');
    if (values instanceof Error) throw refusal(text, where, values.message, values);
    return values;
  });
  const pattern: CronPattern = {
    text: parts.join(' '),
    minutes,
    hours,
    daysOfMonth: new Set(daysOfMonth),
    months: new Set(months),
    weekdays: new Set(weekdays.map((day) => day % 7)),
    days: [parts[2], parts[4]].some((part) => part?.startsWith('*')) ? 'both' : 'either',
  };
  if (everComes(pattern)) return pattern;
  throw refusal(text, where, 'none of its months has such a day, so it would never run.');
}

/** True when a pattern runs on a day, counted from 1970-01-01. */
export function runsOnDay(pattern: CronPattern, day: number): boolean {
  const date = new Date(day * dayMs);
  if (!pattern.months.has(date.getUTCMonth() + 1)) return false;
  const fitsMonth = pattern.daysOfMonth.has(date.getUTCDate());
  const fitsWeek = pattern.weekdays.has(date.getUTCDay());
  return pattern.days === 'both' ? fitsMonth && fitsWeek : fitsMonth || fitsWeek;
}

/** Values of one field, in ascending order; or its error. Fields are parsed separately, so that an error can name its field. */
function readField({ name, title, names }: Field, part: string): readonly number[] | Error {
  const value = ['\\d{1,2}', ...names].join('|');
  const item = `(?:\\*|(?:${value})(?:-(?:${value}))?)(?:/\\d{1,2})?`;
  if (!new RegExp(`^${item}(?:,${item})*$`, 'i').test(part))
    return new Error(`its ${title}, "${part}", is not a number, list, range or step.`);
  try {
    const alone = fields.map((field) => (field.name === name ? part : '*')).join(' ');
    const { values } = CronExpressionParser.parse(alone).fields[name];
    return [...new Set(values.map(Number))].sort((a, b) => a - b);
  } catch (cause) {
    return new Error(`its ${title}, "${part}", has an unknown or repeated name.`, { cause });
  }
}

function everComes({ days, daysOfMonth, months }: CronPattern): boolean {
  if (days === 'either') return true;
  return [...months].some((month) => [...daysOfMonth].some((day) => day <= (longestMonths[month - 1] ?? 0)));
}

function fieldsHint(count: number): string {
  const fiveFields =
    'write five fields: minute, hour, day of the month, month and day of the week, such as "0 2 * * 1-5", or @hourly, @daily, @weekly or @monthly.';
  return count === 6 ? `a field for seconds is not supported; ${fiveFields}` : fiveFields;
}

function refusal(text: string, where: string, why: string, cause?: Error): ValidationError {
  return new ValidationError(`${where} "${text.slice(0, charsMax)}": ${why}`, { cause });
}
