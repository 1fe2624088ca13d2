import { isUtf8 } from 'node:buffer';
import type { Decoded, Decoder, Replaced } from './decoder.ts';
import { completeUtf8, validUtf8Length } from './utf8.ts';

/** Creates a decoder that validates UTF-8 and passes it on. Invalid bytes are replaced by U+FFFD and reported, or end the text. */
export function createUtf8Decoder(replacesInvalid: boolean): Decoder {
  const decodeInvalid = replacesInvalid ? replaceInvalid : upToInvalid;
  let begun = new Uint8Array();
  return {
    write(bytes) {
      const all = begun.length === 0 ? bytes : Buffer.concat([begun, bytes]);
      const text = completeUtf8(all);
      begun = all.slice(text.length);
      return isUtf8(text) ? valid(text) : decodeInvalid(text);
    },
    end: () => (begun.length === 0 ? valid(begun) : decodeInvalid(begun)),
  };
}

function valid(text: Uint8Array): Decoded {
  return { text, replaced: [], invalid: null };
}

function upToInvalid(bytes: Uint8Array): Decoded {
  const length = validUtf8Length(bytes);
  const invalid = `The byte ${hexOf(bytes[length])}`;
  return { text: bytes.subarray(0, length), replaced: [], invalid };
}

/** Replaces the invalid bytes of each line. One problem names the first one of a line. */
function replaceInvalid(bytes: Uint8Array): Decoded {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const pieces: Uint8Array[] = [];
  const replaced: Replaced[] = [];
  let position = 0;
  for (const line of linesOf(bytes)) {
    const piece = isUtf8(line) ? line : Buffer.from(decoder.decode(line));
    if (piece !== line) {
      const byte = hexOf(line[validUtf8Length(line)]);
      replaced.push({
        position,
        problem: `contains the byte ${byte}, which is not valid in UTF-8 (shown as \ufffd)`,
      });
    }
    pieces.push(piece);
    position += piece.length;
  }
  return { text: Buffer.concat(pieces), replaced, invalid: null };
}

/** Yields the parts of a text up to a line end each. */
function* linesOf(bytes: Uint8Array): Generator<Uint8Array> {
  let start = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] !== 0x0a && bytes[at] !== 0x0d) continue;
    yield bytes.subarray(start, at + 1);
    start = at + 1;
  }
  yield bytes.subarray(start);
}

function hexOf(byte = 0): string {
  return `0x${byte.toString(16).toUpperCase()}`;
}
