import { crc32, inflateRawSync } from 'node:zlib';
import { decompressPage } from '../parquet/decompress.ts';
import { DamagedAvro } from './damaged-avro.ts';

/** Decompressed size of a block. Writers make blocks of up to a few MiB. */
export const blockBytesMax = 256 * 1024 * 1024;

type Decompress = (stored: Buffer) => Buffer;

/** Decompressors of blocks, by the name of their codec. */
const decompressors: Readonly<Record<string, Decompress>> = {
  null: (stored) => stored,
  deflate: (stored) => inflateRawSync(stored, { maxOutputLength: blockBytesMax }),
  snappy: decompressSnappy,
};

/** Returns the decompressor of a codec. @throws DamagedAvro for one that is not supported. */
export function findDecompressor(codec: string): Decompress {
  const found = Object.hasOwn(decompressors, codec) ? decompressors[codec] : undefined;
  if (found === undefined)
    throw new DamagedAvro(
      `it is compressed with ${JSON.stringify(codec.slice(0, 40))}; supported are ${Object.keys(decompressors).join(', ')}`,
    );
  return (stored) => {
    try {
      return found(stored);
    } catch (error) {
      if (error instanceof DamagedAvro) throw error;
      throw new DamagedAvro('a block cannot be decompressed', { cause: error });
    }
  };
}

/** Four bytes with the checksum of the decompressed data follow it (Avro 1.12, Required Codecs). */
function decompressSnappy(stored: Buffer): Buffer {
  if (stored.length < 5) throw new DamagedAvro('a block is cut off');
  const data = stored.subarray(0, -4);
  const bytes = decompressPage(data, snappyLength(data), 'SNAPPY');
  if (crc32(bytes) !== stored.readUInt32BE(stored.length - 4))
    throw new DamagedAvro('the checksum of a block does not match');
  return bytes;
}

/** Returns the decompressed size that the data begins with. */
function snappyLength(data: Buffer): number {
  let length = 0;
  for (let index = 0; index < 5; index += 1) {
    const byte = data[index] ?? 0;
    length += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) break;
  }
  if (length > blockBytesMax) throw new DamagedAvro('a block is too large when decompressed');
  return length;
}
