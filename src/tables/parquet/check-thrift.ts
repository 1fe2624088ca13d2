import { DamagedPage } from './damaged-page.ts';

/** Maximum nesting of structures and lists. Metadata of Parquet has about ten. */
const depthMax = 40;
/** Bytes of an integer of 64 bits. The library would read on, in quadratic time. */
const varintBytesMax = 10;

/**
 * Checks a structure in the compact protocol of Thrift, before the library parses it.
 *
 * @returns the position after it.
 * @throws DamagedPage when it is cut off, nested too deep, or has an integer or a list that is too long.
 */
export function checkThrift(bytes: Buffer, start: number): number {
  let at = start;

  function readByte(): number {
    const byte = bytes[at];
    if (byte === undefined) throw new DamagedPage('its description is cut off');
    at += 1;
    return byte;
  }

  function readVarint(): number {
    let value = 0;
    for (let index = 0; index < varintBytesMax; index += 1) {
      const byte = readByte();
      value += (byte & 0x7f) * 2 ** (7 * index);
      if (byte < 0x80) return value;
    }
    throw new DamagedPage('its description has an integer that is too long');
  }

  function skip(length: number): void {
    if (length > bytes.length - at) throw new DamagedPage('its description is cut off');
    at += length;
  }

  function checkStruct(depth: number): void {
    if (depth > depthMax) throw new DamagedPage('its description is nested too deep');
    for (;;) {
      const byte = readByte();
      const type = byte & 0x0f;
      if (type === 0) return;
      if (byte >> 4 === 0) readVarint();
      checkValue(type, depth);
    }
  }

  function checkValue(type: number, depth: number): void {
    // True and false are in the type itself.
    if (type === 1 || type === 2) return;
    if (type === 3) skip(1);
    else if (type >= 4 && type <= 6) readVarint();
    else if (type === 7) skip(8);
    else if (type === 8) skip(readVarint());
    else if (type === 9) checkList(depth + 1);
    else if (type === 12) checkStruct(depth + 1);
    else throw new DamagedPage('its description has an unknown type');
  }

  function checkList(depth: number): void {
    if (depth > depthMax) throw new DamagedPage('its description is nested too deep');
    const byte = readByte();
    const size = byte >> 4 === 15 ? readVarint() : byte >> 4;
    const type = byte & 0x0f;
    // Each item has at least one byte.
    if (size > bytes.length - at) throw new DamagedPage('its description is cut off');
    for (let item = 0; item < size; item += 1) checkValue(type === 1 || type === 2 ? 3 : type, depth);
  }

  checkStruct(0);
  return at;
}
