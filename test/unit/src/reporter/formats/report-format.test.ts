import { expect, test } from 'vitest';
import { ValidationError } from '../../../../../src/core/errors.ts';
import { formatOfFileName, isGzipName } from '../../../../../src/reporter/formats/report-format.ts';

test.each([
  ['out.csv', 'csv'],
  ['a.b/OUT.CSV', 'csv'],
  ['out.csv.gz', 'csv'],
  ['out.ndjson', 'ndjson'],
  ['out.jsonl', 'ndjson'],
  ['out.JSONL.GZ', 'ndjson'],
  ['out.json', 'json'],
])('%s is %s', (name, format) => {
  expect(formatOfFileName(name)).toBe(format);
});

test.each(['out', 'out.gz', 'out.xlsx', 'csv', 'out.csv.zip', 'out.csv/', 'out.constructor', ''])(
  '%j is refused with the choices',
  (name) => {
    expect(() => formatOfFileName(name)).toThrow(ValidationError);
    expect(() => formatOfFileName(name)).toThrow('.csv, .ndjson, .jsonl and .json, each also with .gz');
  },
);

test('a name that ends in .gz, in any case, is written compressed', () => {
  expect(['a.csv.gz', 'a.csv.GZ', 'a.csv', 'a.gz.csv'].map(isGzipName)).toEqual([true, true, false, false]);
});
