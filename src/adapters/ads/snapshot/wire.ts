import type { SnapshotRow } from '../../../core/ads/snapshot-store.ts';
import { ValidationError } from '../../../core/errors.ts';
import { placesOf } from './columns.ts';
import type { SnapshotColumn } from './columns.ts';
import { parseDay } from './day.ts';

const advertiserId = { field: 'advertiser_id', form: /^AR\d{20}$/, words: 'AR and 20 digits' } as const;
const creativeId = { field: 'creative_id', form: /^CR\d{20}$/, words: 'CR and 20 digits' } as const;
const formats = new Map([
  ['TEXT', 'Text'],
  ['IMAGE', 'Image'],
  ['VIDEO', 'Video'],
]);

/**
 * Reads one exported row with nested `region_stats`, as JSON gives it.
 *
 * Every column but the two ids may be missing or null; a day that is none counts as missing. The numbers of the export,
 * which come as strings, are not read.
 *
 * @throws ValidationError naming the field, when an id is missing or malformed or a field is not of its type. The caller
 *   knows file and line.
 */
export function parseSnapshotRow(value: unknown): SnapshotRow {
  if (!isRecord(value)) throw new ValidationError('row: expected an object');
  const days = parseRegionDays(value['region_stats']);
  return toRow((column) => value[column], days.start, days.lastSeen);
}

/**
 * Reads one line of the flat CSV form. `header` must be the same array for every line of a file: where its columns stand is
 * worked out once per array.
 *
 * @throws ValidationError as `parseSnapshotRow` does.
 */
export function parseSnapshotCells(header: readonly string[], cells: readonly string[]): SnapshotRow {
  const places = placesOf(header);
  const cell = (column: SnapshotColumn): unknown => cells[places[column]];
  return toRow(cell, parseDay(cell('first_shown')), parseDay(cell('last_shown')));
}

function toRow(
  read: (column: SnapshotColumn) => unknown,
  start: string | null,
  lastSeen: string | null,
): SnapshotRow {
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
  };
}

/** First and last day over all regions; the `EEA` row is an aggregate and changes neither. */
function parseRegionDays(value: unknown): { start: string | null; lastSeen: string | null } {
  if (value === undefined || value === null) return { start: null, lastSeen: null };
  if (!Array.isArray(value)) throw mistyped('region_stats', 'a list');
  let start: string | null = null;
  let lastSeen: string | null = null;
  for (const region of value as readonly unknown[]) {
    if (!isRecord(region)) throw mistyped('region_stats', 'a list of objects');
    const first = parseDay(region['first_shown']);
    const last = parseDay(region['last_shown']);
    if (first !== null && (start === null || first < start)) start = first;
    if (last !== null && (lastSeen === null || last > lastSeen)) lastSeen = last;
  }
  return { start, lastSeen };
}

function parseId(value: unknown, id: typeof advertiserId | typeof creativeId): string {
  if (typeof value === 'string' && id.form.test(value)) return value;
  if (value === undefined || value === null || value === '')
    throw mistyped(id.field, `${id.words}, got nothing`);
  throw mistyped(id.field, `${id.words}, got ${JSON.stringify(value).slice(0, gotCharsMax)}`);
}

/** How much of a bad value an error shows. */
const gotCharsMax = 60;
const unwanted = /[\p{Cc}\p{Cs}]+/gu;

/** A trimmed text, null when missing or blank. Postgres cannot hold NUL or broken UTF-16: those become a space. */
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
