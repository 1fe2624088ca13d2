import { parquetMetadata, parquetRead, parquetSchema } from 'hyparquet';
import type { FileMetaData } from 'hyparquet';
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js';

/** A Parquet file as an independent reader parses it. */
export interface ReadTable {
  readonly names: readonly string[];
  /** Logical type of each column as one word, such as `STRING` or `DECIMAL(18,6)`. */
  readonly types: readonly string[];
  /** Cells as in the other formats: dates and times as text, credits as numbers. */
  readonly lines: readonly (readonly unknown[])[];
  /** Number of lines in each row group. */
  readonly groups: readonly number[];
  readonly metadata: FileMetaData;
}

/** Reads a complete Parquet file. */
export async function readParquet(bytes: Uint8Array): Promise<ReadTable> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const metadata = parquetMetadata(file);
  const columns = parquetSchema(metadata).children.map(({ element }) => element);
  const names = columns.map(({ name }) => name);
  const types = columns.map(typeOf);
  // Arrays, because an object loses a column with the name `__proto__`.
  let lines: readonly (readonly unknown[])[] = [];
  const onComplete = (rows: unknown[][]): void => void (lines = rows);
  await parquetRead({ file, metadata, rowFormat: 'array', parsers, onComplete });
  return {
    names,
    types,
    lines: lines.map((line) => line.map((value, index) => shown(value, types[index]))),
    groups: metadata.row_groups.map((group) => Number(group.num_rows)),
    metadata,
  };
}

/** The reader's own decoder drops a BOM at the start of a string. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const parsers = {
  ...DEFAULT_PARSERS,
  stringFromBytes: (bytes: Uint8Array | undefined) =>
    bytes === undefined ? undefined : decoder.decode(bytes),
};

type Element = FileMetaData['schema'][number];

function typeOf({ type, logical_type: logical }: Element): string {
  if (logical?.type === 'DECIMAL') return `DECIMAL(${logical.precision},${logical.scale})`;
  if (logical?.type === 'TIMESTAMP')
    return `TIMESTAMP(${logical.isAdjustedToUTC ? 'UTC' : 'local'},${logical.unit})`;
  return logical?.type ?? type ?? '';
}

function shown(value: unknown, type: string | undefined): unknown {
  if (value instanceof Date) return type === 'DATE' ? value.toISOString().slice(0, 10) : value.toISOString();
  if (typeof value === 'number' && type?.startsWith('DECIMAL') === true) return Number(value.toFixed(6));
  return typeof value === 'bigint' ? Number(value) : value;
}
