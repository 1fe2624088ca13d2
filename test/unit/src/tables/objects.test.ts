import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCursor, readLong } from '../../../../src/tables/avro/byte-cursor.ts';
import { openAvro } from '../../../../src/tables/avro/open-avro.ts';
import { openParquetObjects } from '../../../../src/tables/parquet/open-objects.ts';
import type { ObjectRow, ObjectTable } from '../../../../src/tables/records/object-table.ts';
import {
  avroContainer,
  avroFile,
  exportRows,
  type ExportRow,
} from '../../../support/sources/snapshot/snapshot-exports.ts';
import { parquetByDuckDb, parquetInForm } from '../../../support/sources/snapshot/snapshot-parquet.ts';

/** Rows as JSON has them, with 64-bit integers as text. */
function expectedRows(rows: readonly ExportRow[]): readonly ObjectRow[] {
  return JSON.parse(
    JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'number' ? String(value) : value)),
  ) as readonly ObjectRow[];
}

async function collect({ blocks }: ObjectTable): Promise<readonly ObjectRow[]> {
  const rows: ObjectRow[] = [];
  for await (const block of blocks) {
    expect(block.firstRowNo).toBe(rows.length + 1);
    rows.push(...block.rows);
  }
  return rows;
}

async function* inChunks(file: Buffer, bytes: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < file.length; start += bytes) yield file.subarray(start, start + bytes);
}

function parquetRows(file: Buffer): Promise<readonly ObjectRow[]> {
  const read = (start: number, length: number) => Promise.resolve(file.subarray(start, start + length));
  return openParquetObjects({ bytes: file.length, read }, 'a.parquet').then(collect);
}

function encodeLong(value: bigint): Buffer {
  const bytes: number[] = [];
  let left = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
  for (; left >= 128n; left >>= 7n) bytes.push(Number(left & 127n) | 128);
  return Buffer.from([...bytes, Number(left)]);
}

function encodeText(text: string): Buffer {
  return Buffer.concat([encodeLong(BigInt(text.length)), Buffer.from(text)]);
}

const rows = exportRows(100);

describe('rows with nested values', () => {
  test.each(['null', 'deflate', 'snappy'] as const)('of Avro (%s) are those of JSON', async (codec) => {
    const file = await avroFile(rows, codec, 'date');
    expect(await collect(await openAvro(inChunks(file, 64), 'a.avro'))).toEqual(expectedRows(rows));
  });

  test('of Parquet by DuckDB are those of JSON', async () => {
    const many = exportRows(3_000);
    expect(await parquetRows(await parquetByDuckDb(many, 'ROW_GROUP_SIZE 2048'))).toEqual(expectedRows(many));
  });

  test.each(['list.element without a logical type', 'repeated group'] as const)(
    'of Parquet with %s are those of JSON',
    async (form) => {
      const omitted = ['is_funded_by_google_ad_grants', 'surface_serving_stats'];
      const known = (key: string, value: unknown) => (omitted.includes(key) ? undefined : value);
      expect(await parquetRows(parquetInForm(rows, form))).toEqual(
        JSON.parse(JSON.stringify(expectedRows(rows), known)),
      );
    },
  );
});

describe('values of Avro', () => {
  test.each([
    ['int', -2_147_483_648, -2_147_483_648],
    ['long', -1, '-1'],
    ['long', 9_007_199_254_740_990, '9007199254740990'],
    ['long', -1_234_567_890_123_456, '-1234567890123456'],
    ['float', 0.5, 0.5],
    ['double', 0.1, 0.1],
    ['boolean', true, true],
    ['bytes', Buffer.from('ä'), 'ä'],
    ['bytes', Buffer.from([0xff, 0]), '\\xff00'],
    [{ type: 'int', logicalType: 'date' }, -1, '1969-12-31'],
    [{ type: 'int', logicalType: 'time-millis' }, 3_723_004, '01:02:03.004'],
    [{ type: 'long', logicalType: 'timestamp-micros' }, 1, '1970-01-01 00:00:00.000001'],
    [{ type: 'string', logicalType: 'datetime' }, '2024-01-02T03:04:05', '2024-01-02T03:04:05'],
    [{ type: 'enum', name: 'E', symbols: ['A', 'B'] }, 'B', 'B'],
    [{ type: 'fixed', name: 'F', size: 2 }, Buffer.from('ab'), 'ab'],
    [
      { type: 'map', values: 'long' },
      { a: 1, b: -1 },
      { a: '1', b: '-1' },
    ],
    [{ type: 'array', items: ['null', 'string'] }, ['a', null], ['a', null]],
  ] as const)('of type %j: %j is %j', async (type, value, expected) => {
    const schema = { type: 'record' as const, name: 'n.Root', fields: [{ name: 'a', type }] };
    const file = await avroContainer(schema as never, [{ a: value }]);
    expect(await collect(await openAvro(inChunks(file, 7), 'a.avro'))).toEqual([{ a: expected }]);
  });

  test('may have a type that is defined before, by its name', async () => {
    const region = { type: 'record', name: 'Region', fields: [{ name: 'code', type: 'string' }] };
    const fields = [
      { name: 'first', type: region },
      { name: 'last', type: ['null', 'Region'] },
    ];
    const schema = { type: 'record', name: 'Root', namespace: 'a.b', fields };
    const value = { first: { code: 'DE' }, last: { code: 'FR' } };
    const file = await avroContainer(schema as never, [value]);
    expect(await collect(await openAvro(inChunks(file, 100), 'a.avro'))).toEqual([value]);
  });
});

test.each(['float', 'double', { type: 'fixed', name: 'F', size: 4 }])(
  'a block of Avro that ends within a value of type %j is rejected',
  async (type) => {
    const schema = JSON.stringify({ type: 'record', name: 'Root', fields: [{ name: 'a', type }] });
    const sync = Buffer.alloc(16, 7);
    const header = [Buffer.from('Obj\u0001'), encodeLong(1n), encodeText('avro.schema'), encodeText(schema)];
    const block = [encodeLong(1n), encodeText('abc'), sync];
    const broken = Buffer.concat([...header, encodeLong(0n), sync, ...block]);
    await expect(openAvro(inChunks(broken, 100), 'a.avro').then(collect)).rejects.toThrow(
      'a.avro, from row 1 on: The Avro data cannot be read: a value is cut off',
    );
  },
);

test('an integer of Avro keeps all 64 bits', () => {
  for (const value of [0n, -1n, 2n ** 63n - 1n, -(2n ** 63n)])
    expect(readLong(createCursor(encodeLong(value)))).toBe(value);
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
      expect(readLong(createCursor(encodeLong(value)))).toBe(value);
    }),
  );
});

test('a damaged Avro file is rejected with its name, or read, for any damage', async () => {
  const file = await avroFile(rows.slice(0, 10), 'null', 'date');
  await fc.assert(
    fc.asyncProperty(
      fc.nat(file.length - 1),
      fc.integer({ min: 0, max: 255 }),
      fc.integer({ min: 1, max: 8 }),
      async (at, byte, length) => {
        const damaged = Buffer.from(file).fill(byte, at, Math.min(at + length, file.length));
        const error: unknown = await openAvro(inChunks(damaged, 1_000), 'a.avro')
          .then(collect)
          .then(
            () => null,
            (thrown: unknown) => thrown,
          );
        if (error !== null) expect(error).toMatchObject({ code: 'validation_error', where: 'a.avro' });
      },
    ),
    { numRuns: 500 },
  );
});
