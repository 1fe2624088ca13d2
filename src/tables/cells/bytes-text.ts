import { isUtf8 } from 'node:buffer';

/** Returns bytes as text. Other bytes than UTF-8 are in hexadecimal, as Postgres shows them. */
export function bytesText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return isUtf8(buffer) ? buffer.toString() : `\\x${buffer.toString('hex')}`;
}
