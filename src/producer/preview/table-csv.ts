import type { FileOptions } from '../../core/schedules/schedule.ts';
import type { TableRecord } from '../../csv/records/read-records.ts';

/** Options that read the CSV text of `tableCsv`, besides the number of its lines above the header. */
export const tableCsvForm = {
  encoding: 'utf-8',
  delimiter: ',',
  quote: '"',
  escape: '"',
} as const satisfies FileOptions;

/** Blank lines above the header that a reader leaves out. */
const linesAboveMax = 1_000;

/**
 * Converts a table to CSV text, so that addresses in it can be erased. Yields a chunk for each block.
 *
 * A record stands on the line of its number where the lines suffice. One that cannot be used gets its reason as a further cell, and is rejected
 * for it when the text is read. `delimiter`: text between two cells. Default: a comma.
 */
export async function* tableCsv(
  records: AsyncIterable<readonly Pick<TableRecord, 'lineNo' | 'cells' | 'problem'>[]>,
  delimiter: string = tableCsvForm.delimiter,
): AsyncGenerator<string> {
  let nextLine = 1;
  let columns: number | null = null;
  for await (const block of records) {
    let text = '';
    for (const { lineNo, cells, problem } of block) {
      const width = (columns ??= cells.length);
      const blank = nextLine === 1 ? Math.min(lineNo - 1, linesAboveMax) : lineNo - nextLine;
      const all = problem === null ? cells : [...cells, ...missing(width - cells.length), problem];
      const line = `${'\n'.repeat(Math.max(0, blank))}${all.map(quoted).join(delimiter)}\n`;
      text += line;
      nextLine += linesOf(line);
    }
    yield text;
  }
}

/** Returns the number of lines above the header of a CSV text of `tableCsv`. */
export function linesAbove(csv: Buffer): number {
  return Math.max(
    0,
    csv.findIndex((byte) => byte !== 0x0a),
  );
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}

function missing(count: number): readonly string[] {
  return new Array<string>(Math.max(0, count)).fill('');
}

function linesOf(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}
