import { fileError } from './file-error.ts';

const asCsv = 'Save the file as CSV (UTF-8) and try again.';

/** Rejects UTF-32, whose text would be taken for UTF-16 with NULs, by its byte order mark. @throws ValidationError */
export function rejectUtf32(head: Uint8Array, fileName: string): void {
  const mark = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 4)).toString('hex');
  if (mark === 'fffe0000' || mark === '0000feff')
    throw fileError(fileName, null, `This is UTF-32 text. ${asCsv}`);
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
