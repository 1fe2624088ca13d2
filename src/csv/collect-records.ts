import type { Info } from 'csv-parse';
import type { InvalidLines } from './invalid-lines.ts';
import { lineEndsWithin } from './line-counter.ts';
import { recordTooLarge } from './malformed-errors.ts';
import { createBlocks } from './record-blocks.ts';
import { charsOf, describeProblems, isTooLarge, replaceNul } from './record-cells.ts';

/** Record of a CSV file: the header or a row. */
export interface CsvRecord {
  /** Line of the file where the record starts, from 1. */
  readonly lineNo: number;
  readonly cells: readonly string[];
  /** Problem of cells that cannot be stored and were replaced, or null. */
  readonly problem: string | null;
}

/** Options of the parser. */
export interface RecordOptions {
  readonly fileName: string;
  /** One character. */
  readonly delimiter: string;
  /** Maximum size of a record in bytes, as UTF-8 without its quotes. */
  readonly recordBytesMax: number;
  /** Line of the file where the text starts. */
  readonly firstLineNo: number;
  /** Lines in which the decoder replaced characters. */
  readonly invalidLines: InvalidLines;
}

/** Collector of records into blocks, with the line where each starts. */
export interface RecordCollector {
  /**
   * Adds the next record, while `info` is at its end. Never throws, because the parser cannot pass an error on. After the first rejected
   * record, it adds nothing.
   */
  readonly take: (cells: string[], info: Info) => void;
  /** Throws the error of the first rejected record, if there is one. */
  readonly throwRefusal: () => void;
  /** Searches the cells of later records for NUL. */
  readonly expectNul: () => void;
  /** Returns the full blocks, once. */
  readonly fullBlocks: () => Iterable<readonly CsvRecord[]>;
  /** Returns all remaining blocks. */
  readonly allBlocks: () => Iterable<readonly CsvRecord[]>;
  /** Returns the line where the next record starts. */
  readonly nextLineNo: (info: Info) => number;
}

/** Creates an empty collector. */
export function collectRecords(options: RecordOptions): RecordCollector {
  const blocks = createBlocks<CsvRecord>();
  let lineNo = options.firstLineNo;
  let blankLines = 0;
  let parserLines = 0;
  let nulExpected = false;
  let refusal: Error | null = null;

  function nextLineNo(info: Info): number {
    return lineNo + info.empty_lines - blankLines;
  }

  /**
   * The parser's `lines` is the line where a record ends, and counts CR LF within quotes twice. If it grew only by one and the blank lines,
   * the record contains no line end: this saves searching every cell.
   */
  function take(cells: string[], info: Info): void {
    if (refusal !== null) return;
    const start = nextLineNo(info);
    const plain = info.lines - parserLines === 1 + info.empty_lines - blankLines;
    const last = plain ? start : start + cells.reduce((ends, cell) => ends + lineEndsWithin(cell), 0);
    parserLines = info.lines;
    blankLines = info.empty_lines;
    lineNo = last + 1;
    const chars = charsOf(cells);
    if (isTooLarge(cells, chars, options.recordBytesMax)) {
      refusal = recordTooLarge(start, options);
      return;
    }
    const nul = nulExpected && replaceNul(cells);
    const problem = describeProblems(nul, options.invalidLines.takeUpTo(last));
    blocks.add({ lineNo: start, cells, problem }, chars);
  }

  function throwRefusal(): void {
    if (refusal !== null) throw refusal;
  }

  return {
    take,
    throwRefusal,
    expectNul: () => void (nulExpected = true),
    fullBlocks: blocks.full,
    allBlocks: blocks.all,
    nextLineNo,
  };
}
