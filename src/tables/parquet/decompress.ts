import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { decompress as decompressZstd } from 'fzstd';
import type { Compressors } from 'hyparquet';

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
