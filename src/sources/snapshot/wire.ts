import type { SnapshotRow } from '../../core/sources/snapshot-store.ts';
import { ValidationError } from '../../core/errors.ts';
import { placesOf } from './columns.ts';
import type { SnapshotColumn } from './columns.ts';
import { parseDayOrMoment } from './day.ts';

const advertiserId = { field: 'advertiser_id', form: /^AR\d{20}$/, words: 'AR and 20 digits' } as const;
const creativeId = { field: 'creative_id', form: /^CR\d{20}$/, words: 'CR and 20 digits' } as const;
const formats = new Map([
  ['TEXT', 'Text'],
  ['IMAGE', 'Image'],
  ['VIDEO', 'Video'],
]);

/**
 * Parses one exported row in JSON: with nested `region_stats`, also as JSON in a text, or with the days of the flat form.
 *
 * Every column except the two ids may be missing or null. The numbers of the export, which are strings, are ignored.
 *
 * @throws ValidationError that names the field, for a missing or malformed id, a field of another type, or a day that does not
 * exist. The caller adds file and line.
 */
export function parseSnapshotRow(value: unknown): SnapshotRow {
  if (!isRecord(value)) throw new ValidationError('row: expected an object');
  return toRow((column) => value[column]);
}

/**
 * Parses one line of the flat CSV form. `header` must be the same array for every line of a file, because the positions of its
 * columns are cached per array.
 *
 * @throws ValidationError as `parseSnapshotRow` does.
 */
export function parseSnapshotCells(header: readonly string[], cells: readonly string[]): SnapshotRow {
  const places = placesOf(header);
  const cell = (column: SnapshotColumn): unknown => cells[places[column]];
  return toRow(cell);
}

function toRow(read: (column: SnapshotColumn) => unknown): SnapshotRow {
  const { start, lastSeen } = parseDays(read);
  const disclosedName = parseText(read('advertiser_disclosed_name'), 'advertiser_disclosed_name');
  const legalName = parseText(read('advertiser_legal_name'), 'advertiser_legal_name');
  const format = parseText(read('ad_format_type'), 'ad_format_type');
  return {
    advertiserId: parseId(read('advertiser_id'), advertiserId),
    creativeId: parseId(read('creative_id'), creativeId),
    advertiserName: disclosedName ?? legalName,
    disclosedName,
    legalName,
    location: parseText(read('advertiser_location'), 'advertiser_location'),
    format: format === null ? null : (formats.get(format.toUpperCase()) ?? format),
    start,
    lastSeen,
    details: null,
  };
}

/** The first and the last day on which the ad was shown. Null if the export has no value; no other value becomes null. */
interface ShownDays {
  readonly start: string | null;
  readonly lastSeen: string | null;
}

/** Days of the flat form if present, else those of all regions. */
function parseDays(read: (column: SnapshotColumn) => unknown): ShownDays {
  const start = parseShown(read('first_shown'), 'first_shown');
  const lastSeen = parseShown(read('last_shown'), 'last_shown');
  if (start !== null && lastSeen !== null) return { start, lastSeen };
  const regions = parseRegionDays(read('region_stats'));
  return { start: start ?? regions.start, lastSeen: lastSeen ?? regions.lastSeen };
}

/** First and last day over all regions; the `EEA` row is an aggregate and is ignored. */
function parseRegionDays(given: unknown): ShownDays {
  const value = typeof given === 'string' ? parseJsonText(given) : given;
  if (value === undefined || value === null) return { start: null, lastSeen: null };
  if (!Array.isArray(value)) throw mistyped('region_stats', 'a list');
  let start: string | null = null;
  let lastSeen: string | null = null;
  for (const [i, region] of (value as readonly unknown[]).entries()) {
    if (!isRecord(region)) throw mistyped('region_stats', 'a list of objects');
    const first = parseRegionDay(region, i, 'first_shown');
    const last = parseRegionDay(region, i, 'last_shown');
    if (first !== null && (start === null || first < start)) start = first;
    if (last !== null && (lastSeen === null || last > lastSeen)) lastSeen = last;
  }
  return { start, lastSeen };
}

/** A list in a cell, as the BigQuery console writes it into a CSV. */
function parseJsonText(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    throw mistyped('region_stats', `a list as JSON, got ${shown(text)}`);
  }
}

function parseRegionDay(
  region: Readonly<Record<string, unknown>>,
  i: number,
  name: 'first_shown' | 'last_shown',
): string | null {
  const day = parseDayOrMoment(region[name]);
  return day ?? parseShown(region[name], `region_stats[${i}].${name}`);
}

function parseShown(value: unknown, field: string): string | null {
  if (value === undefined || value === null || value === '') return null;
  const day = parseDayOrMoment(typeof value === 'string' ? value.trim() : value);
  if (day !== null) return day;
  throw mistyped(field, `a day that exists, YYYY-MM-DD, or a moment of one, got ${shown(value)}`);
}

function parseId(value: unknown, id: typeof advertiserId | typeof creativeId): string {
  if (typeof value === 'string' && id.form.test(value)) return value;
  if (value === undefined || value === null || value === '')
    throw mistyped(id.field, `${id.words}, got nothing`);
  throw mistyped(id.field, `${id.words}, got ${shown(value)}`);
}

/** An invalid value, shortened for a message. */
function shown(value: unknown): string {
  return JSON.stringify(value).slice(0, gotCharsMax);
}

const gotCharsMax = 60;
const unwanted = /[\p{Cc}\p{Cs}]+/gu;

/** Trimmed text, null if missing or blank. Postgres cannot store NUL or broken UTF-16, which become a space. */
function parseText(value: unknown, field: SnapshotColumn): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw mistyped(field, 'a text');
  const text = value.replace(unwanted, ' ').trim();
  return text === '' ? null : text;
}

function mistyped(field: string, expected: string): ValidationError {
  return new ValidationError(`${field}: expected ${expected}`, { where: field });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
