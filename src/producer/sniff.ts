import { guessDelimiter, parseDelimiter } from './delimiter.ts';
import { guessEncoding, parseEncoding } from './encoding.ts';
import { fileError } from './file-error.ts';

/** How many bytes of the decompressed content `sniff` wants to see, where there are as many. */
export const sniffBytes = 256 * 1024;

/** What the user said about a file; what is left out is found out. */
export interface SniffOptions {
  readonly fileName: string;
  readonly encoding?: string | undefined;
  /** One character, or `tab`. */
  readonly delimiter?: string | undefined;
}

/** The form of a text file with columns, as found in its first bytes. */
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
 * Finds out encoding and delimiter from the first `sniffBytes` bytes of the decompressed content.
 *
 * What the user said comes first, then a byte order mark and a `sep=` line, then what the text looks like.
 *
 * @throws ValidationError when the file is no text (ZIP, Excel, UTF-32), or encoding or delimiter are none.
 */
export function sniff(head: Uint8Array, options: SniffOptions): TextForm {
  refuseBinary(head, options.fileName);
  const { encoding, bomBytes } =
    options.encoding === undefined ? guessEncoding(head) : parseEncoding(options.encoding, head);
  const text = new TextDecoder(encoding).decode(head.subarray(bomBytes));
  const sepLine = /^sep=([^\r\n])(?:\r\n|\n|\r|$)/i.exec(text);
  const sepLineBytes = Buffer.byteLength(sepLine?.[0] ?? '');
  if (options.delimiter !== undefined) {
    return { encoding, bomBytes, delimiter: parseDelimiter(options.delimiter), sepLineBytes };
  }
  return { encoding, bomBytes, delimiter: sepLine?.[1] ?? guessDelimiter(text), sepLineBytes };
}

const binaries: readonly { readonly bytes: readonly number[]; readonly what: string }[] = [
  { bytes: [0x50, 0x4b, 0x03, 0x04], what: 'a ZIP archive or an Excel workbook (.xlsx)' },
  { bytes: [0xd0, 0xcf, 0x11, 0xe0], what: 'an old Office document (.xls)' },
  { bytes: [0x25, 0x50, 0x44, 0x46], what: 'a PDF document' },
  { bytes: [0xff, 0xfe, 0x00, 0x00], what: 'UTF-32 text' },
  { bytes: [0x00, 0x00, 0xfe, 0xff], what: 'UTF-32 text' },
];

function refuseBinary(head: Uint8Array, fileName: string): void {
  const found = binaries.find((binary) => binary.bytes.every((byte, index) => head[index] === byte));
  if (found === undefined) return;
  throw fileError(fileName, null, `This is ${found.what}. Save the list as CSV (UTF-8) and try again.`);
}
