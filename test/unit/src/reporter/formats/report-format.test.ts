import { expect, test } from 'vitest';
import { ValidationError } from '../../../../../src/core/errors.ts';
import {
  formatOfFileName,
  isGzipName,
  rejectGzip,
} from '../../../../../src/reporter/formats/report-format.ts';

test.each([
  ['out.csv', 'csv'],
  ['a.b/OUT.CSV', 'csv'],
  ['out.csv.gz', 'csv'],
  ['out.ndjson', 'ndjson'],
  ['out.jsonl', 'ndjson'],
  ['out.JSONL.GZ', 'ndjson'],
  ['out.json', 'json'],
  ['out.parquet', 'parquet'],
  ['a.b/OUT.Parquet', 'parquet'],
  ['out.xlsx', 'xlsx'],
])('file name %s means the format %s', (name, format) => {
  expect(formatOfFileName(name)).toBe(format);
});

test.each(['out', 'out.gz', 'out.xls', 'csv', 'out.csv.zip', 'out.csv/', 'out.constructor', ''])(
  'file name %j is rejected with the known formats',
  (name) => {
    expect(() => formatOfFileName(name)).toThrow(ValidationError);
    expect(() => formatOfFileName(name)).toThrow(
      '.csv, .ndjson, .jsonl and .json, each also with .gz, .parquet or .xlsx',
    );
  },
);

test('a file name with .gz in any case means compression', () => {
  expect(['a.csv.gz', 'a.csv.GZ', 'a.csv', 'a.gz.csv'].map(isGzipName)).toEqual([true, true, false, false]);
});

test('a compressed format is rejected with .gz, by file name or by --format', () => {
  expect(() => formatOfFileName('out.parquet.gz')).toThrow('Leave the .gz away');
  expect(() => formatOfFileName('out.xlsx.gz')).toThrow('Leave the .gz away');
  expect(() => rejectGzip('out.GZ', 'parquet')).toThrow(ValidationError);
  for (const format of ['csv', 'ndjson', 'json'] as const) rejectGzip('out.gz', format);
  rejectGzip('out.parquet', 'parquet');
});
