import { readFile } from 'node:fs/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { parquetMetadata, type SchemaElement } from 'hyparquet';
import { ByteWriter, parquetWriteBuffer } from 'hyparquet-writer';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';
import type { ExportRow } from './snapshot-exports.ts';
import { writeFiles } from '../snapshots.ts';

/** Types of the public table, as DuckDB names them. */
const columns = `{advertiser_id: 'VARCHAR', creative_id: 'VARCHAR', ad_format_type: 'VARCHAR', advertiser_disclosed_name: 'VARCHAR',
  advertiser_legal_name: 'VARCHAR', advertiser_location: 'VARCHAR', is_funded_by_google_ad_grants: 'BOOLEAN',
  region_stats: 'STRUCT(region_code VARCHAR, first_shown DATE, last_shown DATE, times_shown_lower_bound BIGINT, surface_serving_stats STRUCT(surface VARCHAR, times_shown_upper_bound BIGINT)[])[]'}`;

/** Writes rows as a Parquet file by DuckDB, with lists in the standard form. */
export async function parquetByDuckDb(rows: readonly ExportRow[], options: string): Promise<Buffer> {
  const [source = '', target = ''] = await writeFiles({
    'rows.ndjson': rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
    'rows.parquet': '',
  });
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  await connection.run(
    `COPY (SELECT * FROM read_json('${source}', format = 'newline_delimited', columns = ${columns})) TO '${target}' (FORMAT parquet, ${options})`,
  );
  connection.closeSync();
  instance.closeSync();
  return readFile(target);
}

/** Form of a list in Parquet besides the standard one. */
export type ListForm = 'list.element without a logical type' | 'repeated group';

const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' } as const;
const region: SchemaElement[] = [
  { name: 'region_code', ...text },
  { name: 'first_shown', type: 'INT32', converted_type: 'DATE', repetition_type: 'OPTIONAL' },
  { name: 'last_shown', type: 'INT32', converted_type: 'DATE', repetition_type: 'OPTIONAL' },
  { name: 'times_shown_lower_bound', type: 'INT64', repetition_type: 'OPTIONAL' },
];
const texts = [
  'advertiser_id',
  'creative_id',
  'ad_format_type',
  'advertiser_disclosed_name',
  'advertiser_legal_name',
  'advertiser_location',
] as const;

/** Writes rows as a Parquet file with another form of lists. */
export function parquetInForm(rows: readonly ExportRow[], form: ListForm): Buffer {
  const isPlain = form === 'repeated group';
  const regions = rows.map((row) =>
    row.region_stats.map((stats) => ({
      ...stats,
      first_shown: dayOf(stats.first_shown),
      last_shown: dayOf(stats.last_shown),
      times_shown_lower_bound: BigInt(stats.times_shown_lower_bound),
    })),
  );
  const plain: SchemaElement[] = [
    { name: 'region_stats', repetition_type: 'REPEATED', num_children: 1 },
    // The writer cannot write the fields of a repeated group directly: a required group has no levels, and is taken out below.
    { name: inner, repetition_type: 'REQUIRED', num_children: region.length },
  ];
  const listed: SchemaElement[] = [
    { name: 'region_stats', repetition_type: 'OPTIONAL', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'OPTIONAL', num_children: region.length },
  ];
  const file = parquetWriteBuffer({
    columnData: [
      ...texts.map((name) => ({ name, data: rows.map((row) => row[name] ?? null) })),
      { name: 'region_stats', data: isPlain ? regions : regions.map((list) => ({ list })) },
    ],
    schema: [
      { name: 'root', num_children: texts.length + 1 },
      ...texts.map((name) => ({ name, ...text })),
      ...(isPlain ? plain : listed),
      ...region,
    ],
    statistics: false,
    rowGroupSize: 2,
  });
  return isPlain ? withoutInner(file) : Buffer.from(file);
}

const inner = 'inner';

function withoutInner(file: ArrayBuffer): Buffer {
  const metadata = parquetMetadata(file);
  const length = Buffer.from(file).readUInt32LE(file.byteLength - 8);
  const parent = metadata.schema.find(({ name }) => name === 'region_stats');
  if (parent !== undefined) parent.num_children = region.length;
  for (const { columns: chunks } of metadata.row_groups)
    for (const { meta_data: chunk } of chunks)
      if (chunk !== undefined)
        chunk.path_in_schema = chunk.path_in_schema.filter((name: string) => name !== inner);
  metadata.schema = metadata.schema.filter(({ name }) => name !== inner);
  const writer = new ByteWriter();
  writeMetadata(writer, metadata);
  const footer = Buffer.from(writer.getBytes());
  return Buffer.concat([Buffer.from(file, 0, file.byteLength - 8 - length), footer, Buffer.from('PAR1')]);
}

function dayOf(day: string | null): Date | null {
  return day === null ? null : new Date(day);
}
