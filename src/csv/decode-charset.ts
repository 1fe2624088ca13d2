import iconv from 'iconv-lite';
import { isDosEncoding } from './encoding.ts';
import type { Decoded, Decoder } from './decoder.ts';

/** Creates a decoder for an encoding in which a line feed is one byte: one of MS-DOS, or of the WHATWG Encoding Standard. */
export function createCharsetDecoder(encoding: string): Decoder {
  if (isDosEncoding(encoding)) return createDosDecoder(encoding);
  return encoding === 'windows-1252' ? createWindows1252Decoder() : createPlatformDecoder(encoding);
}

/** Characters 0x80 to 0x9F (WHATWG index windows-1252); a space marks a byte without a character. */
const windows1252 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/**
 * Replaces the decoder of the platform, which is not strict (unused bytes become control characters); some releases of Node decode
 * Windows-1252 as Latin-1.
 */
function createWindows1252Decoder(): Decoder {
  return {
    write(bytes) {
      const latin1 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
      const unused = latin1.search(/[\x81\x8d\x8f\x90\x9d]/);
      const valid = unused === -1 ? latin1 : latin1.slice(0, unused);
      const text = valid.replace(/[\x80-\x9f]/g, (byte) => windows1252[byte.charCodeAt(0) - 0x80] ?? byte);
      const invalid =
        unused === -1 ? null : `The byte 0x${latin1.charCodeAt(unused).toString(16).toUpperCase()}`;
      return decoded(text, invalid);
    },
    end: () => decoded('', null),
  };
}

/** Every byte of these encodings is a character. */
function createDosDecoder(encoding: string): Decoder {
  return {
    write: (bytes) => decoded(iconv.decode(Buffer.from(bytes), encoding), null),
    end: () => decoded('', null),
  };
}

/** Decodes line by line: the platform reports an invalid chunk, but not the position. */
function createPlatformDecoder(encoding: string): Decoder {
  const decoder = new TextDecoder(encoding, { fatal: true });

  function decode(pieces: Iterable<Uint8Array>, stream: boolean): Decoded {
    let text = '';
    for (const piece of pieces) {
      try {
        text += decoder.decode(piece, { stream });
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        return decoded(text, 'A byte');
      }
    }
    return decoded(text, null);
  }

  return { write: (bytes) => decode(linesOf(bytes), true), end: () => decode([new Uint8Array()], false) };
}

function* linesOf(bytes: Uint8Array): Generator<Uint8Array> {
  let start = 0;
  while (start < bytes.length) {
    const end = bytes.indexOf(0x0a, start);
    const next = end === -1 ? bytes.length : end + 1;
    yield bytes.subarray(start, next);
    start = next;
  }
}

function decoded(text: string, invalid: string | null): Decoded {
  return { text: Buffer.from(text), replaced: [], invalid };
}
