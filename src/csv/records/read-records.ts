import type { InvalidLines } from '../invalid-lines.ts';
import { charsOf, describeProblems, isTooLarge, replaceNul } from '../record-cells.ts';
import { recordTooLarge } from '../malformed-errors.ts';
import { createBlocks } from '../record-blocks.ts';
import type { RecordForm } from './record-form.ts';
import { createRecordScanner, type Reading, type ScannedRecord } from './scan-records.ts';
import { createLineSkipper } from './skip-lines.ts';

/** Record of a CSV file: the header or a row. */
export interface TableRecord {
  /** Line of the file where the record starts, from 1. */
  readonly lineNo: number;
  readonly cells: readonly string[];
  readonly reading: Reading;
  /** Reasons why the record cannot be used: damaged characters, which are replaced, or a misplaced quote; null when it can be. */
  readonly problem: string | null;
}

/** Options of the reader. */
export interface RecordOptions {
  readonly fileName: string;
  readonly form: RecordForm;
  /** Usual number of cells: a line with misplaced quotes is read so that it has as many. */
  readonly width: number;
  /** Lines to skip before the first record. */
  readonly linesAbove: number;
  /** Line of the file where the text starts. */
  readonly firstLineNo: number;
  /** Maximum size of a record in bytes, as UTF-8 without its quotes. */
  readonly recordBytesMax: number;
  /** Lines in which the decoder replaced characters. */
  readonly invalidLines: InvalidLines;
}

/**
 * Reads CSV text in UTF-8 to blocks of records. The first record is a block of its own.
 *
 * No damaged line ends the reading: it is repaired, or it comes back as one record with a problem.
 *
 * @throws ValidationError naming the line where a record starts that is larger than allowed. All full blocks before it come first.
 */
export async function* readRecords(
  text: AsyncIterable<Uint8Array>,
  options: RecordOptions,
): AsyncGenerator<readonly TableRecord[], undefined> {
  const blocks = createBlocks<TableRecord>();
  const { form, width, firstLineNo, linesAbove, recordBytesMax, invalidLines } = options;
  const skip = createLineSkipper(linesAbove);
  let hasNul = false;
  const scanner = createRecordScanner({
    form,
    width,
    firstLineNo: firstLineNo + linesAbove,
    charsMax: 2 * recordBytesMax,
    onRecord: (record) => {
      const chars = charsOf(record.cells);
      if (isTooLarge(record.cells, chars, recordBytesMax)) throw recordTooLarge(record.lineNo, options);
      blocks.add(toTableRecord(record, invalidLines, hasNul), chars);
    },
    onTooLong: (lineNo) => {
      throw recordTooLarge(lineNo, options);
    },
  });
  try {
    for await (const chunk of text) {
      hasNul ||= chunk.includes(0);
      scanner.write(skip(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString()));
      yield* blocks.full();
    }
    scanner.end();
  } catch (error) {
    // Blocks before the error come first, wherever the chunks end.
    yield* blocks.full();
    throw error;
  }
  yield* blocks.all();
}

/** Reasons for the rejection of a line whose quotes cannot be repaired. */
const problems: Readonly<Record<Reading, string | null>> = {
  rules: null,
  repaired: null,
  stray:
    'a misplaced quotation mark: enclose the cell in quotation marks and double those that belong to the text ("Toys ""R"" Us")',
  unclosed: 'a quotation mark is never closed: close it, or double it if it belongs to the text',
};

const misplacedOrUnclosed =
  'a misplaced quotation mark, or one that is never closed: double those that belong to the text ("Toys ""R"" Us")';

/** Describes the mistake of a record that is not well-formed; null for one that is. */
export function mistakeOf({ reading, problem }: TableRecord): string | null {
  if (reading === 'rules') return problem;
  return problems[reading] ?? misplacedOrUnclosed;
}

function toTableRecord(
  { lineNo, lastLineNo, cells, reading }: ScannedRecord,
  invalidLines: InvalidLines,
  hasNul: boolean,
): TableRecord {
  const characters = describeProblems(hasNul && replaceNul(cells), invalidLines.takeUpTo(lastLineNo));
  const quotes = problems[reading];
  const problem =
    characters === null || quotes === null ? (characters ?? quotes) : `${quotes}; ${characters}`;
  return { lineNo, cells, reading, problem };
}
