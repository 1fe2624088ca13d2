import { deltaBinaryUnpack } from 'hyparquet/src/delta.js';
import { DamagedPage } from './damaged-page.ts';

/** Values that a run may have beyond those of the page: packed runs are multiples of eight. */
const slackValues = 512;

/**
 * Checks the runs of the RLE and bit-packing hybrid (parquet-format, Encodings.md), which the library takes as they are: a run of five bytes
 * can claim a billion values. Runs that are cut off are left to the library, which stops at the end.
 *
 * @throws DamagedPage when a run is longer than the page.
 */
export function checkRuns(bytes: Buffer, start: number, width: number, values: number): void {
  if (width > 32) throw new DamagedPage('a page has values of more than 32 bits');
  let at = start;
  for (let seen = 0; seen < values && at < bytes.length;) {
    const header = readVarint(bytes, at);
    at = header.end;
    const isPacked = header.value % 2 === 1;
    const units = Math.floor(header.value / 2);
    const count = isPacked ? 8 * units : units;
    if (count > values + slackValues) throw new DamagedPage('a page has a run that is too long');
    seen += count;
    at += isPacked ? units * width : Math.ceil(width / 8);
  }
}

/** Block of the largest size in use: 65,536 values. */
const deltaBlockMax = 65_536;

/**
 * Checks delta-encoded integers, whose sizes the library divides by and adds to positions.
 *
 * @throws DamagedPage when a size is invalid, or the blocks are cut off.
 */
export function checkDeltas(bytes: Buffer, start: number, values: number): void {
  const block = readVarint(bytes, start);
  const parts = readVarint(bytes, block.end);
  const count = readVarint(bytes, parts.end);
  const perPart = block.value / parts.value;
  const isSound = block.value <= deltaBlockMax && perPart >= 8 && perPart % 8 === 0;
  if (!isSound || count.value !== values)
    throw new DamagedPage('a page has deltas in blocks of an invalid size');
  let at = readVarint(bytes, count.end, longBytesMax).end;
  for (let left = values - 1; left > 0;) {
    const widths = readVarint(bytes, at, longBytesMax).end;
    at = widths + parts.value;
    for (let part = 0; part < parts.value && left > 0; part += 1) {
      at += (perPart * (bytes[widths + part] ?? 0)) / 8;
      left -= perPart;
    }
    // The last part may be shorter in the file than its padding.
    if (widths + parts.value > bytes.length) throw new DamagedPage('a page is cut off');
  }
}

/**
 * Checks texts that share their beginning with the one before: a few bytes can claim gigabytes.
 *
 * @throws DamagedPage when they are larger than `bytesMax`.
 */
export function checkSharedTexts(bytes: Buffer, start: number, values: number, bytesMax: number): void {
  checkDeltas(bytes, start, values);
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), offset: start };
  const lengths = new Int32Array(values);
  let sum = 0;
  deltaBinaryUnpack(reader, values, lengths);
  for (const length of lengths) sum += Math.max(0, length);
  if (sum > bytesMax) throw new DamagedPage('a page is too large when decoded');
  checkDeltas(bytes, reader.offset, values);
}

/** Bytes of an integer of 64 bits. The library would read on, in quadratic time. */
const longBytesMax = 10;

/** Reads an integer. One of 32 bits must be positive: the library takes the highest bit for a sign. */
function readVarint(
  bytes: Buffer,
  start: number,
  bytesMax = 5,
): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let index = 0; index < bytesMax; index += 1) {
    const byte = bytes[start + index];
    if (byte === undefined) throw new DamagedPage('a page is cut off');
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80 && (bytesMax > 5 || value < 2 ** 31)) return { value, end: start + index + 1 };
    if (byte < 0x80) break;
  }
  throw new DamagedPage('a page has an integer that is too long');
}
