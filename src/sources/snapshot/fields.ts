import { ValidationError } from '../../core/errors.ts';
import { parseDayOrMoment } from './day.ts';

/** An object of an export. */
export type Fields = Readonly<Record<string, unknown>>;

/** True for an object that is no list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const unwanted = /[\p{Cc}\p{Cs}]+/gu;

/** Trimmed text, null if missing or blank. Postgres cannot store NUL or broken UTF-16, which become a space. */
export function parseText(value: unknown, field: string): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw mistyped(field, 'a text');
  const text = value.replace(unwanted, ' ').trim();
  return text === '' ? null : text;
}

/** Day of a day or a moment; null if missing. No other value becomes null. */
export function parseShown(value: unknown, field: string): string | null {
  if (value === undefined || value === null || value === '') return null;
  const day = parseDayOrMoment(typeof value === 'string' ? value.trim() : value);
  if (day !== null) return day;
  throw mistyped(field, `a day that exists, YYYY-MM-DD, or a moment of one, got ${shown(value)}`);
}

/** Number of something; a number of the export is often a text. Null if missing. */
export function parseCount(value: unknown, field: string): number | null {
  if (value === undefined || value === null || value === '') return null;
  const isWritten = typeof value === 'string' && /^\s*\d{1,16}\s*$/.test(value);
  const count = isWritten || typeof value === 'bigint' ? Number(value) : value;
  if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) return count;
  throw mistyped(field, `an integer from 0 on, got ${shown(value)}`);
}

/** Boolean, also as a text; null if missing. */
export function parseBoolean(value: unknown, field: string): boolean | null {
  if (value === undefined || value === null || typeof value === 'boolean') return value ?? null;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : null;
  if (word === '') return null;
  if (word === 'true' || word === 'false') return word === 'true';
  throw mistyped(field, `true or false, got ${shown(value)}`);
}

/** Objects of a list, also as JSON in a text, as the BigQuery console writes it into a CSV. Null if missing. */
export function parseObjects(given: unknown, field: string): readonly Fields[] | null {
  const value = parseNested(given, field, 'a list');
  if (value === null) return null;
  if (!Array.isArray(value)) throw mistyped(field, 'a list');
  const items: readonly unknown[] = value;
  const objects = items.filter(isFields);
  if (objects.length < items.length) throw mistyped(field, 'a list of objects');
  return objects;
}

/** An object, also as JSON in a text. Null if missing. */
export function parseObject(given: unknown, field: string): Fields | null {
  const value = parseNested(given, field, 'an object');
  if (value === null || isFields(value)) return value;
  throw mistyped(field, 'an object');
}

function parseNested(given: unknown, field: string, expected: string): unknown {
  if (typeof given !== 'string') return given ?? null;
  if (given.trim() === '') return null;
  try {
    return JSON.parse(given);
  } catch {
    throw mistyped(field, `${expected} as JSON, got ${shown(given)}`);
  }
}

/** Error for a value of another type than `expected`. */
export function mistyped(field: string, expected: string): ValidationError {
  return new ValidationError(`${field}: expected ${expected}`, { where: field });
}

const gotCharsMax = 60;

/** An invalid value, shortened for a message. */
export function shown(value: unknown): string {
  return JSON.stringify(value).slice(0, gotCharsMax);
}
