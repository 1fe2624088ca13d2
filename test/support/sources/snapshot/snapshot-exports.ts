import { once } from 'node:events';
import { crc32, deflateRawSync } from 'node:zlib';
import avro from 'avsc';
import { snappyCompress } from 'hyparquet-writer/src/snappy.js';
import { advertiserId, creativeId } from '../snapshots.ts';

interface RegionStats {
  readonly region_code: string;
  readonly first_shown: string | null;
  readonly last_shown: string | null;
  readonly times_shown_lower_bound: number;
  readonly surface_serving_stats: readonly {
    readonly surface: string;
    readonly times_shown_upper_bound: number | null;
  }[];
}

/** Row of the public table. */
export interface ExportRow {
  readonly advertiser_id: string;
  readonly creative_id: string;
  readonly ad_format_type: string | null;
  readonly advertiser_disclosed_name: string | null;
  readonly advertiser_legal_name: string | null;
  readonly advertiser_location: string | null;
  readonly is_funded_by_google_ad_grants: boolean | null;
  readonly region_stats: readonly RegionStats[];
}

const names = ['Procter & Gamble', 'Müller, Söhne\nund Töchter "GmbH"', '株式会社 🏃', null, 'Nike, Inc.'];

/** Generates rows with every value that a format can get wrong: missing ones, empty lists, texts of all scripts, 64-bit integers. */
export function exportRows(count: number): readonly ExportRow[] {
  return Array.from({ length: count }, (_, row) => ({
    advertiser_id: advertiserId(row % 7),
    creative_id: creativeId(row),
    ad_format_type: ['TEXT', 'IMAGE', 'VIDEO', null][row % 4] ?? null,
    advertiser_disclosed_name: names[row % 7] ?? null,
    advertiser_legal_name: row % 7 === 2 ? null : `Legal ${row % 7}`,
    advertiser_location: ['US', 'DE', null][row % 3] ?? null,
    is_funded_by_google_ad_grants: [true, false, null][row % 3] ?? null,
    region_stats: Array.from({ length: row % 5 }, (__, region) => ({
      region_code: ['DE', 'FR', 'IT', 'EEA'][region] ?? '',
      first_shown: region === 3 ? null : dayAfter('2023-03-01', row + region),
      last_shown: dayAfter('2024-02-28', row + region),
      times_shown_lower_bound: Number.MAX_SAFE_INTEGER - row,
      surface_serving_stats: Array.from({ length: region % 3 }, (___, surface) => ({
        surface: ['SEARCH', 'YOUTUBE'][surface] ?? '',
        times_shown_upper_bound: surface === 0 ? 1000 : null,
      })),
    })),
  }));
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Form in which Avro has days: the logical type, or text. */
export type AvroDays = 'date' | 'string';

/** The schema that BigQuery writes for the table. */
function avroSchema(days: AvroDays): avro.Schema {
  const day = days === 'date' ? { type: 'int', logicalType: 'date' } : { type: 'string', sqlType: 'DATE' };
  const field = (name: string, type: unknown) => ({ name, type: ['null', type] });
  const surface = {
    type: 'record',
    name: 'surface_serving_stats',
    namespace: 'root.region_stats',
    fields: [field('surface', 'string'), field('times_shown_upper_bound', 'long')],
  };
  const region = {
    type: 'record',
    name: 'region_stats',
    namespace: 'root',
    fields: [
      field('region_code', 'string'),
      field('first_shown', day),
      field('last_shown', day),
      field('times_shown_lower_bound', 'long'),
      { name: 'surface_serving_stats', type: { type: 'array', items: surface } },
    ],
  };
  return {
    type: 'record',
    name: 'Root',
    fields: [
      { name: 'advertiser_id', type: 'string' },
      { name: 'creative_id', type: 'string' },
      field('ad_format_type', 'string'),
      field('advertiser_disclosed_name', 'string'),
      field('advertiser_legal_name', 'string'),
      field('advertiser_location', 'string'),
      field('is_funded_by_google_ad_grants', 'boolean'),
      { name: 'region_stats', type: { type: 'array', items: region } },
    ],
  } as avro.Schema;
}

const codecs = {
  null: (data: Buffer, done: (error: null, data: Buffer) => void) => done(null, data),
  deflate: (data: Buffer, done: (error: null, data: Buffer) => void) => done(null, deflateRawSync(data)),
  snappy: (data: Buffer, done: (error: null, data: Buffer) => void) => {
    const checksum = Buffer.alloc(4);
    checksum.writeUInt32BE(crc32(data));
    done(null, Buffer.concat([snappyCompress(data), checksum]));
  },
};

/** Writes rows as an Avro object container file, in blocks of about 2 KiB. */
export async function avroFile(
  rows: readonly ExportRow[],
  codec: keyof typeof codecs,
  days: AvroDays,
): Promise<Buffer> {
  const stored = rows.map((row) => ({
    ...row,
    region_stats: row.region_stats.map((region) => ({
      ...region,
      first_shown: storedDay(region.first_shown, days),
      last_shown: storedDay(region.last_shown, days),
    })),
  }));
  return avroContainer(avroSchema(days), stored, codec);
}

/** Writes values of any schema as an Avro object container file. */
export async function avroContainer(
  schema: avro.Schema,
  values: readonly unknown[],
  codec: keyof typeof codecs = 'null',
): Promise<Buffer> {
  const encoder = new avro.streams.BlockEncoder(schema, { codec, codecs, blockSize: 2048 });
  const chunks: Buffer[] = [];
  encoder.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = once(encoder, 'end');
  for (const value of values) encoder.write(value);
  encoder.end();
  await ended;
  return Buffer.concat(chunks);
}

function storedDay(day: string | null, days: AvroDays): string | number | null {
  return day === null || days === 'string' ? day : Date.parse(day) / 86_400_000;
}

/** Writes rows as NDJSON as BigQuery does: 64-bit integers as text, missing values left out. */
export function ndjsonFile(rows: readonly ExportRow[]): string {
  return rows.map((row) => `${JSON.stringify(row, asBigQuery)}\n`).join('');
}

/** Writes rows as a JSON array. */
export function arrayFile(rows: readonly ExportRow[], indent?: number): string {
  return JSON.stringify(rows, asBigQuery, indent);
}

function asBigQuery(_key: string, value: unknown): unknown {
  if (value === null) return undefined;
  return typeof value === 'number' ? String(value) : value;
}
