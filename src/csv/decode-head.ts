import iconv from 'iconv-lite';
import { isDosEncoding, type EncodingGuess } from './encoding.ts';

/**
 * Decodes the beginning of a file, which can be cut off anywhere. Invalid characters become U+FFFD: reading the whole file reports them, with
 * their line.
 */
export function decodeHead(head: Uint8Array, { encoding, bomBytes }: EncodingGuess): string {
  const bytes = head.subarray(bomBytes);
  if (isDosEncoding(encoding)) return iconv.decode(Buffer.from(bytes), encoding);
  return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
}
