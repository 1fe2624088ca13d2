import { guessDelimiter, parseDelimiter } from './delimiter.ts';
import { guessEncoding, parseEncoding } from './encoding.ts';
import { rejectControlBytes, rejectKnownForms } from './assert-text.ts';

/** Number of decompressed bytes that `sniff` needs, if the file has as many. */
export const sniffBytes = 256 * 1024;

/** Reading options of the user. Missing ones are detected. */
export interface SniffOptions {
  readonly fileName: string;
  readonly encoding?: string | undefined;
  /** One character, or `tab`. */
  readonly delimiter?: string | undefined;
}

/** Form of a text file with columns, detected from its first bytes. */
export interface TextForm {
  /** WHATWG name, in lower case. */
  readonly encoding: string;
  /** Bytes of byte order mark before the text, in the file's own encoding. */
  readonly bomBytes: number;
  readonly delimiter: string;
  /** Bytes of the `sep=;` line that spreadsheets write first, with its line end, counted in UTF-8; 0 without one. */
  readonly sepLineBytes: number;
}

/**
 * Detects encoding and delimiter from the first `sniffBytes` bytes of the decompressed content.
 *
 * Options of the user take precedence, then a byte order mark and a `sep=` line, then the text itself.
 *
 * @throws ValidationError when the file is not text (a workbook, an image, a program, UTF-32), or the encoding or delimiter is invalid.
 */
export function sniff(head: Uint8Array, options: SniffOptions): TextForm {
  rejectKnownForms(head, options.fileName);
  const { encoding, bomBytes } =
    options.encoding === undefined ? guessEncoding(head) : parseEncoding(options.encoding, head);
  // In UTF-16 every other byte of Latin text is 0.
  if (!encoding.startsWith('utf-16')) rejectControlBytes(head, options.fileName);
  const text = new TextDecoder(encoding).decode(head.subarray(bomBytes));
  const sepLine = /^sep=([^\r\n])(?:\r\n|\n|\r|$)/i.exec(text);
  const sepLineBytes = Buffer.byteLength(sepLine?.[0] ?? '');
  if (options.delimiter !== undefined) {
    return { encoding, bomBytes, delimiter: parseDelimiter(options.delimiter), sepLineBytes };
  }
  return { encoding, bomBytes, delimiter: sepLine?.[1] ?? guessDelimiter(text), sepLineBytes };
}
