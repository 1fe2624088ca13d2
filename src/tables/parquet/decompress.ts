import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { decompress as decompressZstd } from 'fzstd';
import type { Compressors } from 'hyparquet';
import { decompressPage as decompressWith } from 'hyparquet/src/datapage.js';
import type { CompressionCodec } from 'hyparquet/src/types.js';

/** Maximum size of a page, decompressed. Writers make pages of about 1 MiB. */
export const pageBytesMax = 128 * 1024 * 1024;

/** Decompressors besides Snappy. Each makes at most as many bytes as the page claims, which the caller has checked. */
export const compressors: Compressors = {
  GZIP: (input, outputLength) => gunzipSync(input, { maxOutputLength: Math.max(1, outputLength) }),
  BROTLI: (input, outputLength) =>
    brotliDecompressSync(input, { maxOutputLength: Math.max(1, outputLength) }),
  ZSTD: (input, outputLength) => decompressZstd(input, new Uint8Array(outputLength)),
};

/** Codecs that can be read. */
export const knownCodecs: readonly string[] = ['UNCOMPRESSED', 'SNAPPY', ...Object.keys(compressors)];

/** Decompresses a page as the library does. @throws when the data is damaged. */
export function decompressPage(stored: Uint8Array, size: number, codec: CompressionCodec): Buffer {
  const page = decompressWith(stored, size, codec, compressors);
  return Buffer.from(page.buffer, page.byteOffset, page.length);
}
