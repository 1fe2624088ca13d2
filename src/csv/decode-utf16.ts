import { toUSVString } from 'node:util';
import type { Decoded, Decoder, Replaced } from './decoder.ts';

/** Creates a decoder for UTF-16. Lone surrogates are replaced by U+FFFD and reported; half a code unit at the end is invalid. */
export function createUtf16Decoder(encoding: 'utf-16le' | 'utf-16be'): Decoder {
  let begun = Buffer.alloc(0);
  return {
    write(bytes) {
      const all = Buffer.concat([begun, bytes]);
      const whole = all.subarray(0, all.length - (all.length % 2));
      const text = toText(whole, encoding);
      const complete = text.replace(/[\ud800-\udbff]$/, '');
      begun = all.subarray(complete.length * 2);
      return decoded(complete);
    },
    end() {
      const whole = begun.subarray(0, begun.length - (begun.length % 2));
      const invalid = begun.length % 2 === 0 ? null : 'Half a character at the end';
      return { ...decoded(toText(whole, encoding)), invalid };
    },
  };
}

function toText(bytes: Buffer, encoding: 'utf-16le' | 'utf-16be'): string {
  return (encoding === 'utf-16le' ? bytes : Buffer.from(bytes).swap16()).toString('utf16le');
}

function decoded(text: string): Decoded {
  const wellFormed = toUSVString(text);
  return {
    text: Buffer.from(wellFormed),
    replaced: wellFormed === text ? [] : loneSurrogates(text),
    invalid: null,
  };
}

const problem = 'contains a lone UTF-16 surrogate (shown as \ufffd)';

/** Returns the lone surrogates, with their positions in the UTF-8 form of the text. */
function loneSurrogates(text: string): Replaced[] {
  const replaced: Replaced[] = [];
  let index = 0;
  let position = 0;
  for (const match of text.matchAll(/\p{Surrogate}/gu)) {
    position += Buffer.byteLength(text.slice(index, match.index));
    index = match.index;
    replaced.push({ position, problem });
  }
  return replaced;
}
