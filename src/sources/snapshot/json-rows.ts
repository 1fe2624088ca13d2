import type { SnapshotRow } from '../../core/sources/snapshot-store.ts';
import { ValidationError } from '../../core/errors.ts';
import { parseSnapshotRow } from './wire.ts';

export interface JsonRowOptions {
  readonly lineBytesMax: number;
  /** Makes the error for a line, counted from 1. */
  readonly atLine: (lineNo: number, message: string, cause?: unknown) => ValidationError;
}

/**
 * Reads NDJSON, one creative per line, from chunks of UTF-8. Blank lines are skipped.
 *
 * @throws ValidationError from `atLine` at the first line that is too long, is not JSON, or is not a creative.
 */
export async function* readJsonRows(
  text: AsyncIterable<Uint8Array>,
  { lineBytesMax, atLine }: JsonRowOptions,
): AsyncGenerator<readonly SnapshotRow[]> {
  let lineNo = 0;
  for await (const lines of readLines(text)) {
    if (lines.kind === 'open') {
      if (lines.bytes > lineBytesMax)
        throw atLine(lineNo + 1, `The line is longer than ${lineBytesMax} bytes`);
      continue;
    }
    const rows: SnapshotRow[] = [];
    for (const line of lines.lines) {
      lineNo += 1;
      if (line.trim() !== '') rows.push(parseLine(line, lineNo, atLine));
    }
    if (rows.length > 0) yield rows;
  }
}

function parseLine(line: string, lineNo: number, atLine: JsonRowOptions['atLine']): SnapshotRow {
  try {
    return parseSnapshotRow(JSON.parse(line));
  } catch (error) {
    if (error instanceof ValidationError) throw atLine(lineNo, error.message, error);
    if (error instanceof SyntaxError)
      throw atLine(lineNo, `The line is not valid JSON (${error.message})`, error);
    throw error;
  }
}

/** Whole lines without line feeds; or the known length of a line that has not ended yet. */
type Lines =
  | { readonly kind: 'whole'; readonly lines: readonly string[] }
  | { readonly kind: 'open'; readonly bytes: number };

/** A chunk is decoded only up to its last line feed, so that no character is split. */
async function* readLines(text: AsyncIterable<Uint8Array>): AsyncGenerator<Lines> {
  let open: Uint8Array[] = [];
  let openBytes = 0;
  for await (const piece of text) {
    const end = piece.lastIndexOf(lineFeed);
    if (end !== -1) {
      yield {
        kind: 'whole',
        lines: Buffer.concat([...open, piece.subarray(0, end)])
          .toString()
          .split('\n'),
      };
      open = [];
      openBytes = 0;
    }
    open.push(piece.subarray(end + 1));
    openBytes += piece.length - end - 1;
    yield { kind: 'open', bytes: openBytes };
  }
  if (openBytes > 0) yield { kind: 'whole', lines: [Buffer.concat(open).toString()] };
}

const lineFeed = 0x0a;
