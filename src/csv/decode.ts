import { createCharsetDecoder } from './decode-charset.ts';
import { createUtf16Decoder } from './decode-utf16.ts';
import { createUtf8Decoder } from './decode-utf8.ts';
import type { Decoded, Decoder } from './decoder.ts';
import { fileError } from './file-error.ts';
import { createLineCounter } from './line-counter.ts';

/** Options of the decoder. */
export interface DecodeOptions {
  readonly fileName: string;
  /** WHATWG name, in lower case, as returned by `sniff`. */
  readonly encoding: string;
  /** Bytes to skip at the start. */
  readonly bomBytes: number;
  /**
   * Called with the line, from 1, of each replaced character, before its text is passed on: a lone surrogate, and with `replacesInvalid` an
   * invalid byte. The reader of the line must report it.
   */
  readonly onReplaced: (lineNo: number, problem: string) => void;
  /** Replaces invalid bytes of UTF-8 instead of rejecting the file. Default: false. */
  readonly replacesInvalid?: boolean;
}

/**
 * Decodes a file to UTF-8, strictly: no character is replaced silently. Use it as a stage of a pipeline.
 *
 * UTF-8 is validated and passed on, without conversion to strings.
 *
 * @throws ValidationError naming the line, from 1, of the first byte that is not valid in the encoding.
 */
export async function* decodeText(
  chunks: AsyncIterable<Uint8Array>,
  options: DecodeOptions,
): AsyncGenerator<Uint8Array> {
  const lines = createLineCounter();
  const decoder = createDecoder(options);

  function* take({ text, replaced, invalid }: Decoded): Generator<Uint8Array> {
    let counted = 0;
    for (const { position, problem } of replaced) {
      lines.add(text.subarray(counted, position));
      counted = position;
      options.onReplaced(lines.lineNo(), problem);
    }
    lines.add(text.subarray(counted));
    // The text before comes first, so that its errors do, wherever the chunks end.
    yield text;
    if (invalid !== null) throw invalidBytes(lines.lineNo(), invalid, options);
  }

  for await (const chunk of withoutFirst(chunks, options.bomBytes)) yield* take(decoder.write(chunk));
  yield* take(decoder.end());
}

/** Yields the chunks without the first bytes. */
export async function* withoutFirst(
  chunks: AsyncIterable<Uint8Array>,
  bytes: number,
): AsyncGenerator<Uint8Array> {
  let left = bytes;
  for await (const chunk of chunks) {
    yield left === 0 ? chunk : chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}

function createDecoder({ encoding, replacesInvalid = false }: DecodeOptions): Decoder {
  if (encoding === 'utf-8') return createUtf8Decoder(replacesInvalid);
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return createUtf16Decoder(encoding);
  return createCharsetDecoder(encoding);
}

function invalidBytes(lineNo: number, invalid: string, options: DecodeOptions): Error {
  return fileError(
    options.fileName,
    lineNo,
    `${invalid} is not valid in ${options.encoding}. Save the file as UTF-8, or set its encoding with --encoding, ` +
      'such as cp850 for text of MS-DOS.',
  );
}
