import { decodeText, withoutFirst } from '../decode.ts';
import { createInvalidLines } from '../invalid-lines.ts';
import type { TextForm } from '../sniff.ts';
import { readRecords, type TableRecord } from './read-records.ts';
import { rejectMistakes } from './reject-mistakes.ts';

/** Options for the records of a file. */
export interface OpenOptions {
  readonly fileName: string;
  /** Maximum size of a record in bytes, as UTF-8 without its quotes. */
  readonly recordBytesMax: number;
  /** Rejects a file that is not well-formed. Default: false. */
  readonly strict?: boolean | undefined;
}

/**
 * Reads the bytes of a file to blocks of records. The first record, after the lines above the header, is a block of its own.
 *
 * @throws ValidationError for a record that is too large, and for invalid bytes in another encoding than UTF-8. With `strict`, also for a file
 * that is not well-formed.
 */
export function openRecords(
  bytes: AsyncIterable<Uint8Array>,
  text: TextForm,
  { fileName, recordBytesMax, strict = false }: OpenOptions,
): AsyncGenerator<readonly TableRecord[], undefined> {
  const { encoding, bomBytes, sepLineBytes, linesAbove, width } = text;
  const invalidLines = createInvalidLines();
  const decoded = decodeText(bytes, {
    fileName,
    encoding,
    bomBytes,
    onReplaced: invalidLines.add,
    replacesInvalid: true,
  });
  const records = readRecords(withoutFirst(decoded, sepLineBytes), {
    fileName,
    form: text,
    width,
    linesAbove,
    firstLineNo: sepLineBytes === 0 ? 1 : 2,
    recordBytesMax,
    invalidLines,
  });
  return strict ? rejectMistakes(records, fileName) : records;
}
