import { parquetMetadataAsync, type AsyncBuffer, type FileMetaData } from 'hyparquet';
import type { SpooledFile } from '../files/spool-file.ts';
import { tableError } from '../records/table-error.ts';
import { checkThrift } from './check-thrift.ts';
import { DamagedPage } from './damaged-page.ts';
import { knownCodecs } from './decompress.ts';
import { isSoundMetadata } from './sound-metadata.ts';

/** File that can be read at any position. */
export type RangeFile = Pick<SpooledFile, 'bytes' | 'read'>;

/** Size of the list of columns and row groups at the end of a file. */
const footerBytesMax = 64 * 1024 * 1024;

/**
 * Reads the schema and the row groups of a Parquet file, from its end.
 *
 * @throws ValidationError when the file is encrypted, damaged or cut off.
 */
export async function readMetadata(file: RangeFile, fileName: string): Promise<FileMetaData> {
  const end = await file.read(Math.max(0, file.bytes - 8), 8);
  const mark = end.toString('latin1', 4);
  if (mark === 'PARE')
    throw tableError(fileName, null, 'The Parquet file is encrypted. Write it again without encryption.');
  if (mark !== 'PAR1' || end.readUInt32LE(0) > Math.min(file.bytes - 12, footerBytesMax))
    throw damaged(fileName);
  try {
    const length = end.readUInt32LE(0);
    checkThrift(await file.read(file.bytes - 8 - length, length), 0);
    const metadata = await parquetMetadataAsync(asyncBuffer(file), { geoparquet: false });
    if (isSoundMetadata(metadata)) return metadata;
  } catch (error) {
    throw damaged(fileName, error);
  }
  throw damaged(fileName);
}

/** Rejects a codec that cannot be read. @throws ValidationError */
export function rejectUnknownCodec(metadata: FileMetaData, fileName: string): void {
  const codecs = metadata.row_groups.flatMap((group) =>
    group.columns.map((column) => column.meta_data?.codec),
  );
  const unknown = codecs.find((codec) => codec !== undefined && !knownCodecs.includes(codec));
  if (unknown !== undefined)
    throw tableError(
      fileName,
      null,
      `The file is compressed with ${unknown}, which is not supported. Write it again with snappy, gzip or zstd.`,
    );
}

/** Adapts a file to the library. */
export function asyncBuffer(file: RangeFile): AsyncBuffer {
  return {
    byteLength: file.bytes,
    async slice(start, end = file.bytes) {
      const bytes = await file.read(start, end - start);
      return new Uint8Array(bytes).buffer;
    },
  };
}

/** Creates the error for a file that cannot be read. */
export function damaged(fileName: string, cause?: unknown): Error {
  return tableError(
    fileName,
    null,
    'The Parquet data is damaged or cut off. Copy or download the file again, or write it again.',
    cause === undefined ? {} : { cause },
  );
}

/** Creates the error for rows that cannot be read, with the reason. */
export function damagedRows(fileName: string, first: number, last: number, cause: unknown): Error {
  const reason = cause instanceof DamagedPage ? cause.message : 'a page cannot be read';
  return tableError(
    fileName,
    `rows ${first} to ${last}`,
    `The Parquet data is damaged or too large: ${reason}. Write the file again, with smaller row groups.`,
    { cause },
  );
}
