import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createSnapshotStore } from '../../../../db/stores/ads/snapshots.ts';
import { ValidationError } from '../../../../src/core/errors.ts';
import { importSnapshot, type ImportProgress } from '../../../../src/sources/snapshot/import.ts';
import { openTestDatabase } from '../../../support/db/database.ts';
import {
  arrayFile,
  avroContainer,
  avroFile,
  exportRows,
  ndjsonFile,
} from '../../../support/sources/snapshot/snapshot-exports.ts';
import { parquetByDuckDb, parquetInForm } from '../../../support/sources/snapshot/snapshot-parquet.ts';
import {
  advertiserId,
  creativeId,
  dumpStore,
  loadContents,
  loadCreatives,
  readSnapshot,
  writeFiles,
} from '../../../support/sources/snapshots.ts';

const rows = exportRows(300);

describe('export in another format', () => {
  test.each<readonly [string, () => string | Uint8Array | Promise<Uint8Array>]>([
    ['a JSON array', () => arrayFile(rows)],
    ['a JSON array over many lines', () => arrayFile(rows, 2)],
    ['a gzipped JSON array', () => gzipSync(arrayFile(rows))],
    ['a JSON array in UTF-16', () => Buffer.from(`\ufeff${arrayFile(rows)}`, 'utf16le')],
    ['Avro', () => avroFile(rows, 'null', 'date')],
    ['Avro, deflate', () => avroFile(rows, 'deflate', 'date')],
    ['Avro, Snappy', () => avroFile(rows, 'snappy', 'date')],
    ['Avro, with days as text', () => avroFile(rows, 'snappy', 'string')],
    ['gzipped Avro', async () => gzipSync(await avroFile(rows, 'null', 'date'))],
    ['Parquet, Snappy', () => parquetByDuckDb(rows, 'COMPRESSION snappy')],
    ['Parquet, Zstandard', () => parquetByDuckDb(rows, 'COMPRESSION zstd, ROW_GROUP_SIZE 50')],
    ['Parquet, gzip', () => parquetByDuckDb(rows, 'COMPRESSION gzip')],
    ['Parquet, not compressed', () => parquetByDuckDb(rows, 'COMPRESSION uncompressed')],
    ['Parquet of version 2', () => parquetByDuckDb(rows, 'PARQUET_VERSION v2')],
    ['Parquet with list.element', () => parquetInForm(rows, 'list.element without a logical type')],
    ['Parquet with a repeated group', () => parquetInForm(rows, 'repeated group')],
  ])('%s has the content of NDJSON', async (_, write) => {
    const database = await openTestDatabase();
    const lines = await openTestDatabase();
    const expected = await loadContents(lines, { 'a.ndjson': ndjsonFile(rows) });
    const load = await loadContents(database, { 'export-000000000000': await write() });
    expect(load).toMatchObject({ rows: 300, ads: 300, rowsWithoutDates: expected.rowsWithoutDates });
    expect(expected.rowsWithoutDates).toBe(60);
    expect(await readSnapshot(database)).toEqual(await readSnapshot(lines));
  });

  test('may have days as timestamps', async () => {
    const database = await openTestDatabase();
    const schema = {
      type: 'record' as const,
      name: 'Root',
      fields: [
        { name: 'advertiser_id', type: 'string' as const },
        { name: 'creative_id', type: 'string' as const },
        { name: 'first_shown', type: { type: 'long' as const, logicalType: 'timestamp-micros' } },
        { name: 'last_shown', type: { type: 'long' as const, logicalType: 'timestamp-millis' } },
      ],
    };
    const file = await avroContainer(schema, [
      {
        advertiser_id: advertiserId(1),
        creative_id: creativeId(1),
        first_shown: Date.parse('2024-01-02T23:59:59Z') * 1000,
        last_shown: Date.parse('2024-03-04T00:00:00Z'),
      },
    ]);
    await loadContents(database, { 'a.avro': file });
    expect((await readSnapshot(database)).ads).toMatchObject([
      { start: '2024-01-02', last_seen: '2024-03-04' },
    ]);
  });

  test.each(['a.parquet', 'a.avro', 'a.json'])('reports progress up to all bytes of %s', async (name) => {
    const many = exportRows(5_000);
    const contents = {
      'a.parquet': () => parquetByDuckDb(many, 'ROW_GROUP_SIZE 2048'),
      'a.avro': () => avroFile(many, 'null', 'date'),
      'a.json': () => arrayFile(many, 1),
    };
    const database = await openTestDatabase();
    const content = Buffer.from(await contents[name as keyof typeof contents]());
    const files = await writeFiles({
      [name]: content,
      'b.ndjson': ndjsonFile(rows),
    });
    const seen: ImportProgress[] = [];
    const store = createSnapshotStore(database.app);
    await importSnapshot({ store, name: 'snapshot', files, onProgress: (progress) => seen.push(progress) });
    expect(seen.at(-1)).toMatchObject({ rows: 5_300, bytesRead: seen[0]?.bytesTotal });
    expect(seen[0]?.bytesRead).toBeLessThan(content.length * 0.9);
    expect(seen).toEqual(seen.toSorted((a, b) => a.bytesRead - b.bytesRead || a.rows - b.rows));
  });
});

describe('malformed export', () => {
  const badRow = rows.map((row, index) => (index === 120 ? { ...row, creative_id: 'CR1' } : row));
  const other = [{ id: 1n, name: 'x' }];
  const otherSchema = {
    type: 'record' as const,
    name: 'Root',
    fields: [{ name: 'advertiser_id', type: 'string' as const }],
  };
  const idError = 'creative_id: expected CR and 20 digits, got "CR1". Nothing of this load was kept.';
  const changed = async (write: Promise<Buffer>, change: (file: Buffer) => void) => {
    const file = await write;
    change(file);
    return file;
  };

  test.each<readonly [string, () => string | Uint8Array | Promise<Uint8Array>, string]>([
    [
      'a JSON array that is cut off',
      () => arrayFile(rows).slice(0, -1),
      'line 1: The JSON is not well-formed',
    ],
    [
      'a JSON array that is cut off within an object',
      () => arrayFile(rows).slice(0, -20),
      'the array has no end',
    ],
    [
      'a JSON array without a comma',
      () => arrayFile(rows).replace('},{"adv', '}{"adv'),
      'a comma is missing',
    ],
    ['text after a JSON array', () => `${arrayFile(rows)}\n[]`, 'line 2: The JSON is not well-formed'],
    [
      'an invalid object',
      () => arrayFile(rows).replace('"TEXT"', 'TEXT'),
      'object 1 of the array is not valid',
    ],
    [
      'an invalid id in JSON',
      () => arrayFile(badRow),
      `bad.dat, line 1: object 121 of the array: ${idError}`,
    ],
    ['an array of numbers', () => '[1]', 'object 1 of the array: row: expected an object'],
    ['an invalid id in Avro', () => avroFile(badRow, 'deflate', 'date'), `bad.dat, row 121: ${idError}`],
    [
      'Avro that is cut off',
      async () => (await avroFile(rows, 'deflate', 'date')).subarray(0, -300),
      'bad.dat, from row 295 on: The Avro data cannot be read: it is cut off',
    ],
    [
      'Avro without its last block mark',
      async () => (await avroFile(rows, 'null', 'date')).subarray(0, -1),
      'it is cut off',
    ],
    [
      'Avro whose header is cut off',
      async () => (await avroFile(rows, 'null', 'date')).subarray(0, 200),
      'bad.dat: The Avro data cannot be read: it is cut off',
    ],
    [
      'Avro with a wrong checksum',
      () =>
        changed(avroFile(rows, 'snappy', 'date'), (file) => file.fill(1, file.length - 20, file.length - 16)),
      'the checksum of a block does not match',
    ],
    [
      'Avro with a damaged block',
      () => changed(avroFile(rows, 'deflate', 'date'), (file) => file.fill(0xff, 2500, 2510)),
      'a block cannot be decompressed',
    ],
    [
      'Avro with a wrong block mark',
      () => changed(avroFile(rows, 'null', 'date'), (file) => file.fill(1, file.length - 16)),
      'the mark after a block is missing',
    ],
    [
      'Avro of another table',
      () => avroContainer(otherSchema, [{ advertiser_id: advertiserId(1) }]),
      'bad.dat: creative_id: the file has no such column. Its columns are advertiser_id. Nothing',
    ],
    ['Avro of texts', () => avroContainer('string', ['a']), 'its values are no records'],
    [
      'an invalid id in Parquet',
      () => parquetByDuckDb(badRow, 'COMPRESSION snappy'),
      `bad.dat, row 121: ${idError}`,
    ],
    [
      'Parquet that is cut off',
      async () => (await parquetByDuckDb(rows, 'COMPRESSION snappy')).subarray(0, -300),
      'bad.dat: The Parquet data is damaged or cut off',
    ],
    [
      'Parquet with a damaged page',
      () => changed(parquetByDuckDb(rows, 'COMPRESSION zstd'), (file) => file.fill(0xff, 60, 200)),
      'bad.dat, rows 1 to 300: The Parquet data is damaged',
    ],
    [
      'gzipped Parquet',
      async () => gzipSync(await parquetByDuckDb(rows, 'COMPRESSION snappy')),
      'A Parquet file cannot be read from gzip or from a pipe',
    ],
    ['a wrong mark', () => Buffer.from('Obj\u0002rest of the file'), 'bad.dat'],
    [
      'JSON of another table',
      () => `[${JSON.stringify(other.map(({ name }) => ({ name }))[0])}]`,
      'advertiser_id',
    ],
  ])('with %s is rejected, and nothing is stored', async (_, write, message) => {
    const database = await openTestDatabase();
    await loadCreatives(database, [{ advertiser: 1, creative: 1 }]);
    const before = await dumpStore(database);
    const contents = { 'good.ndjson': ndjsonFile(rows), 'bad.dat': await write() };
    const error = await loadContents(database, contents).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({ message: expect.stringContaining(message) as string });
    expect(String(error)).toContain('bad.dat');
    expect(await dumpStore(database)).toEqual(before);
  });
});
