import { fileError } from './file-error.ts';

const asCsv = 'Save the file as CSV (UTF-8) and try again.';

/** Formats that are not text, by their first bytes (in hexadecimal). No CSV file starts with them. */
const knownForms: readonly (readonly [start: string, what: string])[] = [
  ['504b0304', 'a ZIP archive or an Excel workbook (.xlsx)'],
  ['504b0506', 'an empty ZIP archive'],
  ['d0cf11e0', 'an old Office document (.xls)'],
  ['25504446', 'a PDF document'],
  ['fffe0000', 'UTF-32 text'],
  ['0000feff', 'UTF-32 text'],
  ['89504e470d0a1a0a', 'a PNG image'],
  ['ffd8ff', 'a JPEG image'],
  ['474946383961', 'a GIF image'],
  ['474946383761', 'a GIF image'],
  ['1f8b', 'a gzip archive in a gzip archive'],
  ['28b52ffd', 'a Zstandard archive'],
  ['fd377a585a00', 'an XZ archive'],
  ['377abcaf271c', 'a 7z archive'],
  ['526172211a07', 'a RAR archive'],
  ['5041523115', 'a Parquet file'],
  ['53514c69746520666f726d6174203300', 'an SQLite database'],
];

/** Rejects well-known binary formats by their first bytes, decompressed. @throws ValidationError */
export function rejectKnownForms(head: Uint8Array, fileName: string): void {
  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 32)).toString('hex');
  const found = knownForms.find(([form]) => start.startsWith(form));
  if (found !== undefined) throw fileError(fileName, null, `This is ${found[1]}. ${asCsv}`);
}

/** Maximum share of control characters: a compressed image has a ninth, a damaged text file a few. Our choice. */
const controlShareMax = 0.05;
const controlsMin = 8;

/**
 * Rejects data that is not text, in an encoding whose control characters are single bytes.
 *
 * A few control characters are allowed: rows with a NUL are rejected one by one, each with its reason.
 *
 * @throws ValidationError when more than a twentieth of the bytes are control characters.
 */
export function rejectControlBytes(head: Uint8Array, fileName: string): void {
  let controls = 0;
  for (const byte of head) if (isControl(byte)) controls += 1;
  if (controls < controlsMin || controls <= head.length * controlShareMax) return;
  throw fileError(
    fileName,
    null,
    `This is not a text file: ${controls} of its first ${head.length} bytes are control characters. ${asCsv}`,
  );
}

/** True for control characters except those of text: tab, line and page ends, the end-of-file mark of DOS, and ESC of ISO-2022-JP. */
function isControl(byte: number): boolean {
  return byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1a && byte !== 0x1b;
}
