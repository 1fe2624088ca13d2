import { readAge } from './parse-age.ts';
import { isDay } from './day.ts';
import { ValidationError } from '../errors.ts';

/** Start of a time span: an age before now, by the database clock; or a moment. */
export type Since =
  { readonly kind: 'age'; readonly ageMs: number } | { readonly kind: 'time'; readonly at: Date };

const age = /^\d{1,6}[mhd]$/;
const time = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/**
 * Parses the start of a time span: `30m`, `12h` or `7d` ago; a day, `2026-03-01`, in UTC; or a moment, `2026-03-01T02:00:00Z`.
 *
 * @throws ValidationError that names `where`, an option or a field.
 */
export function readSince(text: string, where: string): Since {
  const trimmed = text.trim();
  if (age.test(trimmed)) return { kind: 'age', ageMs: readAge(trimmed, where) };
  const [, day = ''] = time.exec(trimmed) ?? [];
  const at = new Date(trimmed);
  if (isDay(day) && !Number.isNaN(at.getTime())) return { kind: 'time', at };
  throw new ValidationError(
    `${where} ${text}: write how long ago, such as 12h or 7d, a day, such as 2026-03-01, or a time, such as 2026-03-01T02:00:00Z.`,
  );
}
