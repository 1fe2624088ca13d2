import assert from 'node:assert/strict';
import type { NewRow, RowLookup } from '../../../src/core/batches/batch-store.ts';
import { blockOf, rowsPerBlock } from '../../../src/core/batches/row-blocks.ts';
import { copyText } from '../../../src/core/sql/copy-text.ts';
import { copyTexts, copyTextsUnlessNull } from '../sql/copy-in.ts';

/** Statement for the packed rows. */
export const copyBlocks = `COPY nightshift.row_blocks (batch_id, block_no, rows, lines, cells, array_cells, ads_lookups, ads_repeats,
  email_lookups, email_repeats, reject_reasons, warnings) FROM STDIN`;

/** Packs consecutive rows to lines of `COPY`, one per block (`db/schema/batches.ts`). The first row must be the first one of a block. */
export function packRows(batchId: number, rows: readonly NewRow[]): Uint8Array {
  let text = '';
  for (let start = 0; start < rows.length; start += rowsPerBlock)
    text += packBlock(batchId, rows.slice(start, start + rowsPerBlock));
  return Buffer.from(text);
}

function packBlock(batchId: number, rows: readonly NewRow[]): string {
  const firstNo = rows[0]?.rowNo ?? 0;
  assert(firstNo % rowsPerBlock === 1, 'rows are stored from the first row of a block');
  const place = `${batchId}\t${blockOf(firstNo)}\t${rows.length}`;
  const content = `${packNumbers(rows.map(({ lineNo }) => lineNo))}\t${packCells(rows)}`;
  const lookups = `${packLookups(rows.map(({ ads }) => ads))}\t${packLookups(rows.map(({ email }) => email))}`;
  const reasons = copyTextsUnlessNull(rows.map(({ rejectReason }) => rejectReason));
  return `${place}\t${content}\t${lookups}\t${reasons}\t${copyTextsUnlessNull(rows.map(({ warning }) => warning))}\n`;
}

/** Only the first number where each other one follows the one before. */
function packNumbers(numbers: readonly (number | null)[]): string {
  const first = numbers[0] ?? null;
  if (first !== null && numbers.every((number, i) => number === first + i)) return `{${first}}`;
  return `{${numbers.map((number) => number ?? 'NULL').join(',')}}`;
}

const cellSeparator = '\x1f';
const rowSeparator = '\x1e';

/** The columns `cells` and `array_cells`, of which one is null. */
function packCells(rows: readonly NewRow[]): string {
  const texts = rows.map(({ cells }) => cells.join(cellSeparator));
  const text = texts.join(rowSeparator);
  const between = rows.reduce((sum, { cells }) => sum + cells.length - 1, 0);
  const isPlain =
    !texts.includes('') &&
    countOf(cellSeparator, text) === between &&
    countOf(rowSeparator, text) === rows.length - 1;
  if (isPlain) return `${copyText(text)}\t\\N`;
  return `\\N\t${copyTexts(rows.map(({ cells }) => arrayOf(cells)))}`;
}

function countOf(character: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count += 1;
  return count;
}

/** The text of an array of texts. */
function arrayOf(cells: readonly string[]): string {
  return `{${cells.map((cell) => `"${cell.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** The columns of the lookups of an operation, and of the rows that repeat one. */
function packLookups(lookups: readonly (RowLookup | null)[]): string {
  if (lookups.every((lookup) => lookup === null)) return '\\N\t\\N';
  const ids = packNumbers(lookups.map((lookup) => lookup?.lookupId ?? null));
  const repeats = lookups.reduce(
    (bits, lookup, i) => (lookup?.isFirst === false ? bits | (1 << i) : bits),
    0,
  );
  return `${ids}\t${repeats === 0 ? '\\N' : repeats}`;
}
