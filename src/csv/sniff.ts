import { rejectControlBytes, rejectUtf32 } from './assert-text.ts';
import { decodeHead } from './decode-head.ts';
import { guessEncoding, parseEncoding } from './encoding.ts';
import { parseDelimiter, parseEscape, parseQuote, parseSkipLines } from './parse-form.ts';
import { unknownEncoding } from './unknown-encoding.ts';
import { findTable, type TableForm } from './records/find-table.ts';

/** Number of decompressed bytes that `sniff` needs, if the file has as many. */
export const sniffBytes = 256 * 1024;

/** Reading options of the user. Missing ones are detected. */
export interface SniffOptions {
  readonly fileName: string;
  readonly encoding?: string | undefined;
  /** One character or several, or `tab`. */
  readonly delimiter?: string | undefined;
  /** One character. */
  readonly quote?: string | undefined;
  /** One character. */
  readonly escape?: string | undefined;
  /** Lines above the header, without a `sep=` line. */
  readonly skipLines?: number | undefined;
}

/** Form of a text file with columns, detected from its first bytes. */
export interface TextForm extends TableForm {
  /** WHATWG name, in lower case. */
  readonly encoding: string;
  /** Bytes of byte order mark before the text, in the file's own encoding. */
  readonly bomBytes: number;
  /** Bytes of the `sep=;` line that spreadsheets write first, with its line end, counted in UTF-8; 0 without one. */
  readonly sepLineBytes: number;
}

/**
 * Detects encoding, delimiter, quotes and the lines above the header from the first `sniffBytes` bytes of the decompressed content.
 *
 * Options of the user take precedence, then a byte order mark and a `sep=` line, then the text itself.
 *
 * @throws ValidationError when the file is not text (an image, a program, UTF-32), or an option is invalid.
 */
export function sniff(head: Uint8Array, options: SniffOptions): TextForm {
  rejectUtf32(head, options.fileName);
  const guess = options.encoding === undefined ? guessEncoding(head) : parseEncoding(options.encoding, head);
  if (guess === null) {
    rejectControlBytes(head, options.fileName);
    throw unknownEncoding(head, options.fileName);
  }
  const { encoding, bomBytes } = guess;
  // In UTF-16 every other byte of Latin text is 0.
  if (!encoding.startsWith('utf-16')) rejectControlBytes(head, options.fileName);
  const text = decodeHead(head, { encoding, bomBytes });
  const sepLine = /^sep=([^\r\n])(?:\r\n|\n|\r|$)/i.exec(text);
  const given = {
    delimiter: options.delimiter === undefined ? sepLine?.[1] : parseDelimiter(options.delimiter),
    quote: options.quote === undefined ? undefined : parseQuote(options.quote),
    escape: options.escape === undefined ? undefined : parseEscape(options.escape),
    skipLines: options.skipLines === undefined ? undefined : parseSkipLines(options.skipLines),
  };
  const table = findTable(text.slice(sepLine?.[0].length ?? 0), given, head.length < sniffBytes);
  return { encoding, bomBytes, sepLineBytes: Buffer.byteLength(sepLine?.[0] ?? ''), ...table };
}
