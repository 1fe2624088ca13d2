/** Labels of the formats of exports. */
export const reportFormatNames = {
  csv: 'CSV',
  xlsx: 'Excel',
  json: 'JSON',
  ndjson: 'NDJSON',
  parquet: 'Parquet',
} as const;
