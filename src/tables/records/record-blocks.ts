import { toUSVString } from 'node:util';
import { createBlocks } from '../../csv/record-blocks.ts';
import type { PlaceUnit } from '../../csv/file-error.ts';
import { charsOf, isTooLarge, replaceNul } from '../../csv/record-cells.ts';
import type { TableRecord } from '../../csv/records/read-records.ts';
import { describeBytes, tableTooLarge } from './table-error.ts';
import type { TableLimits } from './table-record.ts';

/** Options of a collector. */
export interface BlockOptions {
  readonly fileName: string;
  readonly limits: TableLimits;
  readonly unit: PlaceUnit;
  /** Place of all records, such as `sheet "Leads"`, or null. */
  readonly within: string | null;
}

/** Collector of records into blocks. */
export interface RecordBlocks {
  /** Adds a record. @throws TooLarge for a record, or for a table, that is larger than allowed. */
  readonly add: (lineNo: number, cells: string[], problem?: string | null) => void;
  /** Returns the full blocks, once. */
  readonly full: () => readonly (readonly TableRecord[])[];
  /** Returns all remaining blocks, once. */
  readonly all: () => readonly (readonly TableRecord[])[];
}

/**
 * Creates a collector of records into blocks. The first record is a block of its own.
 *
 * Characters that Postgres cannot store are replaced; the record has a problem then.
 */
export function createRecordBlocks(options: BlockOptions): RecordBlocks {
  const { fileName, limits, unit, within } = options;
  const blocks = createBlocks<TableRecord>();
  let records = 0;
  let charsInAll = 0;

  function add(lineNo: number, cells: string[], problem: string | null = null): void {
    const chars = charsOf(cells);
    charsInAll += chars;
    const place = placeOf(within, unit, lineNo);
    if (cells.length > limits.columnsMax)
      throw tableTooLarge(
        fileName,
        place,
        `The ${unit} has ${cells.length} columns; the limit is ${limits.columnsMax}. Remove columns that are not needed.`,
      );
    if (isTooLarge(cells, chars, limits.recordBytesMax))
      throw tableTooLarge(
        fileName,
        place,
        `The ${unit} is larger than ${describeBytes(limits.recordBytesMax)}. Shorten it.`,
      );
    // A code unit has at least one byte.
    if (charsInAll > limits.bytesMax)
      throw tableTooLarge(
        fileName,
        place,
        `The text of the cells is larger than ${describeBytes(limits.bytesMax)}. Split the file into smaller files.`,
      );
    records += 1;
    // The header does not count, and the reader of the rows has the exact limit.
    if (records > limits.rowsMax + 1)
      throw tableTooLarge(
        fileName,
        place,
        `The file has more than ${limits.rowsMax} rows. Split it into smaller files.`,
      );
    const problems = joinProblems(problem, replaceUnstorable(cells));
    blocks.add({ lineNo, cells, reading: 'rules', problem: problems }, chars);
  }

  return { add, full: blocks.full, all: blocks.all };
}

function placeOf(within: string | null, unit: PlaceUnit, lineNo: number): string {
  const place = `${unit} ${lineNo}`;
  return within === null ? place : `${within}, ${place}`;
}

/** Replaces NUL and lone surrogates, which Postgres cannot store in text, and describes them; null without any. */
function replaceUnstorable(cells: string[]): string | null {
  const hasNul = replaceNul(cells);
  let hasSurrogate = false;
  for (const [index, cell] of cells.entries()) {
    const wellFormed = toUSVString(cell);
    if (wellFormed === cell) continue;
    hasSurrogate = true;
    cells[index] = wellFormed;
  }
  return joinProblems(
    hasNul ? 'contains a NUL character (shown as \u2400)' : null,
    hasSurrogate ? 'contains a lone UTF-16 surrogate (shown as \ufffd)' : null,
  );
}

function joinProblems(one: string | null, other: string | null): string | null {
  return one === null || other === null ? (one ?? other) : `${one}; ${other}`;
}
