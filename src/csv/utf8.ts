import { isUtf8 } from 'node:buffer';

/** Returns the bytes without an incomplete character at their end. Invalid bytes stay. */
export function completeUtf8(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    const isContinuation = (byte & 0xc0) === 0x80;
    if (isContinuation) continue;
    return sequenceLength(byte) > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

/** Counts the bytes before the first one that is not UTF-8; an incomplete character at the end does not count. */
export function validUtf8Length(bytes: Uint8Array): number {
  let valid = 0;
  let invalid = bytes.length + 1;
  while (invalid - valid > 1) {
    const middle = Math.floor((valid + invalid) / 2);
    if (isUtf8(completeUtf8(bytes.subarray(0, middle)))) valid = middle;
    else invalid = middle;
  }
  return completeUtf8(bytes.subarray(0, valid)).length;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}
