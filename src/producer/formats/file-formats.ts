import type { PlaceUnit } from '../../csv/file-error.ts';

export type { PlaceUnit } from '../../csv/file-error.ts';

/** Formats of files. The content decides, not the name. */
export const fileFormats = ['csv', 'xlsx', 'ods', 'parquet', 'ndjson', 'json'] as const;
export type FileFormat = (typeof fileFormats)[number];

/** Labels of the formats in messages. */
export const formatLabels: Readonly<Record<FileFormat, string>> = {
  csv: 'CSV',
  xlsx: 'Excel workbook',
  ods: 'OpenDocument spreadsheet',
  parquet: 'Parquet',
  ndjson: 'NDJSON',
  json: 'JSON array',
};

const units: Readonly<Record<FileFormat, PlaceUnit>> = {
  csv: 'line',
  xlsx: 'row',
  ods: 'row',
  parquet: 'row',
  ndjson: 'line',
  json: 'line',
};

/** Returns the unit in which the places of a format are counted. */
export function placeUnit(format: FileFormat): PlaceUnit {
  return units[format];
}

/** Returns true for a format with sheets. */
export function hasSheets(format: FileFormat): boolean {
  return format === 'xlsx' || format === 'ods';
}
