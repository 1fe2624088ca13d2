import { isUtf8 } from 'node:buffer';
import { ValidationError } from '../core/errors.ts';
import { completeUtf8 } from './utf8.ts';

/** Encoding by its WHATWG name, `cp437` or `cp850`, and the length of the byte order mark in bytes. */
export interface EncodingGuess {
  readonly encoding: string;
  readonly bomBytes: number;
}

const marks: readonly { readonly encoding: string; readonly bytes: readonly number[] }[] = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
];

/**
 * Detects the encoding of a text by its first bytes: byte order mark, UTF-16 without one, UTF-8, or Windows-1252.
 *
 * A text that is UTF-8 except for a few bytes is UTF-8: only the lines of these bytes are rejected. Null: the text is in another encoding,
 * which cannot be told from its bytes.
 */
export function guessEncoding(head: Uint8Array): EncodingGuess | null {
  const marked = findMark(head);
  if (marked !== null) return marked;
  const encoding = guessUtf16(head) ?? guessByteEncoding(head);
  return encoding === null ? null : { encoding, bomBytes: 0 };
}

function findMark(head: Uint8Array): EncodingGuess | null {
  const mark = marks.find(({ bytes }) => bytes.every((byte, index) => head[index] === byte));
  return mark === undefined ? null : { encoding: mark.encoding, bomBytes: mark.bytes.length };
}

function guessByteEncoding(head: Uint8Array): string | null {
  if (isUtf8(completeUtf8(head))) return 'utf-8';
  if (looksLikeWindows1252(head)) return 'windows-1252';
  return isUtf8ButForFewBytes(head) ? 'utf-8' : null;
}

/** Share of lines with invalid bytes up to which an otherwise plain text is UTF-8. Our choice. */
const invalidLineShareMax = 0.01;

/** True where characters of UTF-8 outnumber the bytes that are none, or where almost all lines are plain ASCII. */
function isUtf8ButForFewBytes(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head);
  const invalid = text.match(/\ufffd/g)?.length ?? 0;
  if (countUtf8Sequences(head) >= invalid) return true;
  const lines = text.split(/[\r\n]+/);
  return lines.filter((line) => line.includes('\ufffd')).length <= lines.length * invalidLineShareMax;
}

/**
 * Parses the encoding that the user named. A byte order mark of that encoding is skipped; `utf-16` uses the byte order of the mark.
 *
 * @throws ValidationError for an unknown encoding.
 */
export function parseEncoding(name: string, head: Uint8Array): EncodingGuess {
  const marked = findMark(head);
  const encoding = canonicalName(name);
  const anyOrder = encoding === 'utf-16le' && !name.trim().toLowerCase().endsWith('le');
  if (anyOrder && marked?.encoding === 'utf-16be') return marked;
  return { encoding, bomBytes: marked?.encoding === encoding ? marked.bomBytes : 0 };
}

/** True for the encodings of MS-DOS that the WHATWG Encoding Standard lacks: `cp437` and `cp850`. */
export function isDosEncoding(encoding: string): boolean {
  return encoding === 'cp437' || encoding === 'cp850';
}

function canonicalName(name: string): string {
  const dos = /^(?:cp|ibm|dos)?[-_ ]?(437|850)$/i.exec(name.trim());
  if (dos !== null) return `cp${dos[1] ?? ''}`;
  try {
    return new TextDecoder(name).encoding;
  } catch (cause) {
    throw new ValidationError(
      `Unknown encoding ${JSON.stringify(name)}. Known encodings include utf-8, utf-16le, utf-16be, windows-1252, ` +
        'windows-1250, iso-8859-2, cp850, cp437, shift_jis and gb18030.',
      { cause, where: 'encoding' },
    );
  }
}

/** Detects UTF-16 without a mark: delimiters, line ends and digits have a zero byte, always on the same side. */
function guessUtf16(head: Uint8Array): string | null {
  const pairs = Math.floor(Math.min(head.length, 65_536) / 2);
  let zerosFirst = 0;
  let zerosSecond = 0;
  for (let pair = 0; pair < pairs; pair += 1) {
    if (head[2 * pair] === 0) zerosFirst += 1;
    if (head[2 * pair + 1] === 0) zerosSecond += 1;
  }
  const enough = Math.max(4, pairs * 0.3);
  if (zerosSecond >= enough && zerosFirst * 10 <= zerosSecond) return 'utf-16le';
  if (zerosFirst >= enough && zerosSecond * 10 <= zerosFirst) return 'utf-16be';
  return null;
}

/** Bytes without a character in Windows-1252. */
const unusedIn1252 = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);
/** Characters so rare in Windows-1252 that many of them mean another encoding. */
const rareIn1252 = new Set([
  0x83, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x8b, 0x8c, 0x8e, 0x98, 0x9a, 0x9b, 0x9c, 0x9e, 0x9f,
]);

/**
 * True for text in Latin letters with some accents that is not UTF-8 with an invalid byte.
 *
 * A rejection is safe, because the message names `--encoding`; a wrong guess is not. The user must name the encoding of Cyrillic or DOS text.
 */
function looksLikeWindows1252(head: Uint8Array): boolean {
  let ascii = 0;
  let high = 0;
  let accented = 0;
  let rare = 0;
  for (const byte of head) {
    if (unusedIn1252.has(byte) || (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d))
      return false;
    if (byte < 0x80) ascii += 1;
    else high += 1;
    if (byte >= 0xc0) accented += 1;
    if (rareIn1252.has(byte)) rare += 1;
  }
  return high <= ascii / 4 && rare <= accented && countUtf8Sequences(head) <= high / 4;
}

/** Counts well-formed UTF-8 sequences of two to four bytes, which are rarely coincidental. */
function countUtf8Sequences(head: Uint8Array): number {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1');
  const sequences =
    /[\u00c2-\u00df][\u0080-\u00bf]|[\u00e0-\u00ef][\u0080-\u00bf]{2}|[\u00f0-\u00f4][\u0080-\u00bf]{3}/g;
  return bytes.match(sequences)?.length ?? 0;
}
