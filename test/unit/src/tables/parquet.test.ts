import { brotliCompressSync, gzipSync } from 'node:zlib';
import { parquetWriteBuffer, type ColumnSource } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { readTable, rejectionOf } from '../../../support/tables/read-list.ts';

type WriteOptions = Omit<Parameters<typeof parquetWriteBuffer>[0], 'columnData'>;

function parquetFile(columnData: ColumnSource[], options: WriteOptions = {}): Buffer {
  return Buffer.from(parquetWriteBuffer({ columnData, ...options }));
}

const companies: ColumnSource[] = [
  { name: 'company', data: ['A', null, 'Müller'], type: 'STRING' },
  { name: 'n', data: [1n, 9223372036854775807n, null], type: 'INT64' },
];

test.each([
  ['STRING', 'ä€😀', 'ä€😀'],
  ['BOOLEAN', true, 'true'],
  ['INT32', -5, '-5'],
  ['INT64', 9007199254740993n, '9007199254740993'],
  ['DOUBLE', 0.1, '0.1'],
  ['DOUBLE', Number.NaN, ''],
  ['FLOAT', Math.fround(0.1), '0.1'],
  ['FLOAT', Math.fround(16777217), '16777216'],
  ['TIMESTAMP', new Date('2026-11-25T14:30:00.250Z'), '2026-11-25 14:30:00.25Z'],
  ['TIMESTAMP', new Date('1960-01-01T00:00:00Z'), '1960-01-01 00:00:00Z'],
  ['UUID', '01234567-89ab-cdef-0123-456789abcdef', '01234567-89ab-cdef-0123-456789abcdef'],
  ['JSON', { a: [1, 'b'] }, '{"a":[1,"b"]}'],
] as const)('a value of type %s: %s is %j', async (type, value, text) => {
  const file = parquetFile([{ name: 'a', data: [value, null], type }]);
  expect((await readTable(file)).rows).toEqual([[text], ['']]);
});

describe('logical types of a schema', () => {
  test.each([
    [{ type: 'INT32', converted_type: 'DATE' }, 20782, '2026-11-25'],
    [{ type: 'INT32', converted_type: 'DATE' }, -1, '1969-12-31'],
    [{ type: 'INT32', converted_type: 'DECIMAL', scale: 2, precision: 9 }, -0.05, '-0.05'],
    [
      { type: 'INT64', converted_type: 'DECIMAL', scale: 3, precision: 18 },
      1234567890123456789n,
      '1234567890123456.789',
    ],
    [{ type: 'INT32', converted_type: 'DECIMAL', scale: 0, precision: 9 }, 7, '7'],
    [{ type: 'INT32', converted_type: 'TIME_MILLIS' }, 3723004, '01:02:03.004'],
    [{ type: 'INT64', converted_type: 'TIME_MICROS' }, 3723000000n, '01:02:03'],
    [{ type: 'INT64', converted_type: 'TIMESTAMP_MICROS' }, 1n, '1970-01-01 00:00:00.000001Z'],
    [
      { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'NANOS' } },
      -1n,
      '1969-12-31 23:59:59.999999999',
    ],
    [{ type: 'INT64', converted_type: 'UINT_64' }, 18446744073709551615n, '18446744073709551615'],
    [{ type: 'INT32', converted_type: 'UINT_32' }, 4294967295, '4294967295'],
    [{ type: 'BYTE_ARRAY' }, new Uint8Array([0xff, 0x00]), '\\xff00'],
    [{ type: 'BYTE_ARRAY' }, new Uint8Array([0x61]), 'a'],
  ] as const)('%j: %s is %j', async (element, value, text) => {
    const schema = [
      { name: 'root', num_children: 1 },
      { name: 'a', repetition_type: 'REQUIRED' as const, ...element },
    ];
    const file = Buffer.from(
      parquetWriteBuffer({ columnData: [{ name: 'a', data: storedFor(element, value) }], schema }),
    );
    expect((await readTable(file)).rows).toEqual([[text]]);
  });
});

/** Values in the form in which the writer takes those of a type. */
function storedFor(element: object, value: unknown): unknown[] {
  if ('converted_type' in element && element.converted_type === 'DATE')
    return [new Date(Number(value) * 86_400_000)];
  return [value];
}

test('lists, maps and structures are JSON with all digits', async () => {
  const file = parquetFile([
    { name: 'json', data: [[1, 2], null], type: 'JSON' },
    { name: 'name', data: ['a', 'b'], type: 'STRING' },
  ]);
  expect((await readTable(file)).rows).toEqual([
    ['[1,2]', 'a'],
    ['', 'b'],
  ]);
});

test('row groups are read one by one, and rows are numbered throughout', async () => {
  const data = Array.from({ length: 2_500 }, (_, index) => `c${index}`);
  const table = await readTable(parquetFile([{ name: 'company', data }], { rowGroupSize: 700 }));
  expect(table.header).toEqual(['company']);
  expect(table.rows.map(([cell]) => cell)).toEqual(data);
  expect(table.records.slice(1).map(({ lineNo }) => lineNo)).toEqual(data.map((_, index) => index + 1));
});

test('a row group of more rows than one step is read completely', async () => {
  const data = Array.from({ length: 120_001 }, (_, index) => index);
  const table = await readTable(parquetFile([{ name: 'n', data, type: 'INT32' }], { rowGroupSize: 200_000 }));
  expect(table.rows.map(([cell]) => cell)).toEqual(data.map(String));
});

test.each([
  ['GZIP', (bytes: Uint8Array) => gzipSync(bytes)],
  ['BROTLI', (bytes: Uint8Array) => brotliCompressSync(bytes)],
] as const)('pages compressed with %s are read', async (codec, compress) => {
  const file = parquetFile(companies, { codec, compressors: { [codec]: compress } });
  expect((await readTable(file)).rows).toEqual([
    ['A', '1'],
    ['', '9223372036854775807'],
    ['Müller', ''],
  ]);
});

describe('a file is rejected', () => {
  const damaged =
    'list: The Parquet data is damaged or cut off. Copy or download the file again, or write it again.';

  test('cut off anywhere', async () => {
    const whole = parquetFile(companies);
    for (let length = 4; length < whole.length; length += 7)
      expect(await rejectionOf(whole.subarray(0, length))).toBe(damaged);
  });

  test('with a footer longer than the file', async () => {
    const file = parquetFile(companies);
    file.writeUInt32LE(0x7fffffff, file.length - 8);
    expect(await rejectionOf(file)).toBe(damaged);
  });

  test('encrypted', async () => {
    expect(await rejectionOf('PARE and some data PARE')).toBe(
      'list: The Parquet file is encrypted. Write it again without encryption.',
    );
  });

  test('in an unsupported compression', async () => {
    const file = parquetFile(companies, { codec: 'LZ4', compressors: { LZ4: (bytes: Uint8Array) => bytes } });
    expect(await rejectionOf(file)).toBe(
      'list: The file is compressed with LZ4, which is not supported. Write it again with snappy, gzip or zstd.',
    );
  });

  test('beyond the limits of rows and columns', async () => {
    expect(await rejectionOf(parquetFile(companies), { limits: { rowsMax: 2 } })).toBe(
      'list: The file has 3 rows; the limit is 2. Split it into smaller files.',
    );
    expect(await rejectionOf(parquetFile(companies), { limits: { columnsMax: 1 } })).toBe(
      'list: The file has 2 columns; the limit is 1. Remove columns that are not needed.',
    );
  });

  test('with any byte changed: it is read or rejected, and never runs away', async () => {
    const whole = parquetFile(companies, { codec: 'UNCOMPRESSED' });
    for (let at = 4; at < whole.length; at += 1) {
      const file = Buffer.from(whole);
      file[at] = (file[at] ?? 0) ^ 0xff;
      await readTable(file).catch((error: unknown) => {
        if (!(error instanceof Error) || !('where' in error)) throw error;
      });
    }
  });
});
