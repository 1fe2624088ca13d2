import { DamagedAvro } from './damaged-avro.ts';

/** Position in the decompressed data of a block. */
export interface ByteCursor {
  readonly bytes: Buffer;
  at: number;
  /** Number of values around the next one. */
  depth: number;
}

/** Bytes of an integer of 64 bits. */
const longBytesMax = 10;
/** Bytes of an integer that a number holds exactly. */
const exactBytes = 7;

/** Creates a cursor at the beginning. */
export function createCursor(bytes: Buffer): ByteCursor {
  return { bytes, at: 0, depth: 0 };
}

/** Reads an integer of up to 64 bits: in groups of seven bits, with the sign in the lowest one. @throws DamagedAvro */
export function readLong(cursor: ByteCursor): bigint {
  let low = 0;
  let high = 0n;
  for (let index = 0; index < longBytesMax; index += 1) {
    const byte = readByte(cursor);
    if (index < exactBytes) low += (byte & 0x7f) * 2 ** (7 * index);
    else high += BigInt(byte & 0x7f) << BigInt(7 * index);
    if (byte < 0x80) {
      const value = high + BigInt(low);
      return BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n));
    }
  }
  throw new DamagedAvro('an integer is too long');
}

/** Reads a length or a number of items, of at least one byte each. @throws DamagedAvro when so many bytes do not follow. */
export function readLength(cursor: ByteCursor): number {
  return checkLength(readLong(cursor), cursor);
}

/** Reads the number of items in the next part of a list or a map; 0 at its end. @throws DamagedAvro */
export function readItems(cursor: ByteCursor): number {
  const count = readLong(cursor);
  if (count >= 0n) return checkLength(count, cursor);
  // The size of the part in bytes follows, for readers that skip it.
  readLong(cursor);
  return checkLength(-count, cursor);
}

function checkLength(length: bigint, { bytes, at }: ByteCursor): number {
  if (length < 0n || length > BigInt(bytes.length - at)) throw new DamagedAvro('a value is cut off');
  return Number(length);
}

/** Reads bytes. @throws DamagedAvro when they are cut off. */
export function readBytes(cursor: ByteCursor, length: number): Buffer {
  const end = cursor.at + length;
  if (end > cursor.bytes.length) throw new DamagedAvro('a value is cut off');
  const bytes = cursor.bytes.subarray(cursor.at, end);
  cursor.at = end;
  return bytes;
}

/** Reads a byte. @throws DamagedAvro when none is left. */
export function readByte(cursor: ByteCursor): number {
  const byte = cursor.bytes[cursor.at];
  if (byte === undefined) throw new DamagedAvro('a value is cut off');
  cursor.at += 1;
  return byte;
}
