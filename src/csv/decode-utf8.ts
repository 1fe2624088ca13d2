import { isUtf8 } from 'node:buffer';
import type { Decoded, Decoder } from './decoder.ts';
import { completeUtf8, validUtf8Length } from './utf8.ts';

/** Creates a decoder that validates UTF-8 and passes it on unchanged. */
export function createUtf8Decoder(): Decoder {
  let begun = new Uint8Array();
  return {
    write(bytes) {
      const all = begun.length === 0 ? bytes : Buffer.concat([begun, bytes]);
      const text = completeUtf8(all);
      begun = all.slice(text.length);
      return isUtf8(text) ? valid(text) : upToInvalid(text);
    },
    end: () => (begun.length === 0 ? valid(begun) : upToInvalid(begun)),
  };
}

function valid(text: Uint8Array): Decoded {
  return { text, loneSurrogates: [], invalid: null };
}

function upToInvalid(bytes: Uint8Array): Decoded {
  const length = validUtf8Length(bytes);
  const byte = bytes[length] ?? 0;
  const invalid = `The byte 0x${byte.toString(16).toUpperCase()}`;
  return { text: bytes.subarray(0, length), loneSurrogates: [], invalid };
}
