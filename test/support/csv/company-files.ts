import { Readable } from 'node:stream';
import type { CompanyFile, RawRow, ReadOptions } from '../../../src/producer/rows/read-companies.ts';
import { readCompanies } from '../../../src/producer/rows/read-companies.ts';

/** A file that has been read to its end. */
export interface WholeFile {
  readonly file: CompanyFile;
  readonly rows: readonly RawRow[];
  /** The cells of all rows. */
  readonly table: readonly (readonly string[])[];
}

type Options = Partial<ReadOptions> & {
  /** Cuts the content into pieces of this many bytes. Default: one piece. */
  readonly pieceBytes?: number;
};

/** Reads content as the file `list.csv`. */
export async function readContent(content: string | Uint8Array, options: Options = {}): Promise<WholeFile> {
  const file = await readCompanies(streamOf(content, options.pieceBytes), {
    fileName: 'list.csv',
    ...options,
  });
  const rows: RawRow[] = [];
  for await (const block of file.rows) rows.push(...block);
  return { file, rows, table: rows.map((row) => row.cells) };
}

/** The content as a stream of bytes. */
export function streamOf(content: string | Uint8Array, pieceBytes?: number): Readable {
  const bytes = Buffer.from(content);
  const step = pieceBytes ?? Math.max(1, bytes.length);
  const pieces: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += step) pieces.push(bytes.subarray(start, start + step));
  return Readable.from(pieces, { objectMode: false });
}

/** The text in an encoding, with its byte order mark if asked for. */
export function encodeText(text: string, encoding: TextEncoding, mark = false): Buffer {
  const marked = mark ? `\ufeff${text}` : text;
  if (encoding === 'utf-8') return Buffer.from(marked);
  if (encoding === 'windows-1252') return Buffer.from([...text].map(windows1252Byte));
  const bytes = Buffer.from(marked, 'utf16le');
  return encoding === 'utf-16le' ? bytes : bytes.swap16();
}

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

const special1252 = new Map([
  ['€', 0x80],
  ['’', 0x92],
  ['–', 0x96],
]);

function windows1252Byte(character: string): number {
  return special1252.get(character) ?? character.charCodeAt(0);
}
