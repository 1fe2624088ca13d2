import type { SnapshotRow } from '../../core/sources/snapshot-store.ts';
import { ValidationError } from '../../core/errors.ts';
import { splitArray } from '../../tables/json/split-array.ts';
import { parseSnapshotRow } from './wire.ts';

export interface ArrayRowOptions {
  readonly fileName: string;
  /** Maximum size of an object in bytes. */
  readonly valueBytesMax: number;
  /** Makes the error for a line, counted from 1. */
  readonly atLine: (lineNo: number, message: string, cause?: unknown) => ValidationError;
}

/**
 * Reads a JSON array, one creative per object, from chunks of UTF-8. Blanks and line ends stand anywhere.
 *
 * @throws ValidationError with line and number at the first object that is too large, is not JSON, or is not a creative, and when the array
 * is cut off.
 */
export async function* readArrayRows(
  text: AsyncIterable<Uint8Array>,
  { fileName, valueBytesMax, atLine }: ArrayRowOptions,
): AsyncGenerator<readonly SnapshotRow[]> {
  let valueNo = 0;
  const options = { fileName, valueBytesMax, remedy: 'Copy or export the file again, and repeat the load.' };
  for await (const values of splitArray(buffersOf(text), options)) {
    const rows: SnapshotRow[] = [];
    for (const { lineNo, bytes } of values) {
      valueNo += 1;
      rows.push(parseValue(bytes, { lineNo, valueNo, atLine }));
    }
    if (rows.length > 0) yield rows;
  }
}

interface Place extends Pick<ArrayRowOptions, 'atLine'> {
  readonly lineNo: number;
  /** Number of the object in the array, from 1: an array can be one line. */
  readonly valueNo: number;
}

function parseValue(bytes: Buffer, { lineNo, valueNo, atLine }: Place): SnapshotRow {
  try {
    return parseSnapshotRow(JSON.parse(bytes.toString()));
  } catch (error) {
    if (error instanceof ValidationError)
      throw atLine(lineNo, `object ${valueNo} of the array: ${error.message}`, error);
    if (error instanceof SyntaxError)
      throw atLine(lineNo, `object ${valueNo} of the array is not valid JSON (${error.message})`, error);
    throw error;
  }
}

async function* buffersOf(text: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const { buffer, byteOffset, length } of text) yield Buffer.from(buffer, byteOffset, length);
}
