import assert from 'node:assert/strict';
import type { Readable } from 'node:stream';
import { sampleRows } from '../columns/recognise-columns.ts';
import { findColumns } from '../columns/columns.ts';
import { defaultFileLimits } from '../columns/company-file.ts';
import type { CompanyFile, FileLimits, RawRow, ReadOptions } from '../columns/company-file.ts';
import { fileError, type PlaceUnit } from '../../csv/file-error.ts';
import { findingsOf } from '../columns/file-findings.ts';
import { damagedHeader, isHeaderless, withoutEmptyColumns } from '../columns/header.ts';
import { openListRecords, type ListRecords } from '../formats/list-records.ts';
import type { TableRecord } from '../../csv/records/read-records.ts';
import { createRowNumbering } from './row-numbering.ts';

export { defaultFileLimits } from '../columns/company-file.ts';
export type * from '../columns/company-file.ts';

/**
 * Opens a file of companies in any format: detects its form and its columns, and reads its rows on demand.
 *
 * Reads in constant memory. Yields every data row, an unusable one with its problem. A file that cannot be read as a whole
 * is rejected as a whole, because skipping its invalid part would lose rows silently.
 *
 * @throws ValidationError naming file, line or row, and remedy. The input is closed then.
 */
export async function readCompanies(input: Readable, options: ReadOptions): Promise<CompanyFile> {
  const limits = { ...defaultFileLimits, ...options.limits };
  const list = await openListRecords(input, options, limits);
  try {
    return await openCompanies(list, options, limits);
  } catch (error) {
    await list.close();
    throw error;
  }
}

async function openCompanies(
  { form: read, records, unit, hasNames, ...list }: ListRecords,
  options: ReadOptions,
  { columnsMax, rowsMax }: FileLimits,
): Promise<CompanyFile> {
  const { fileName, strict = false } = options;
  const firstBlock = (await records.next()).value ?? [];
  const { lineNo, cells } = firstRecord(firstBlock, unit, options);
  const ahead = await readAhead(records);
  // Cells of damaged rows are no evidence for columns.
  const sound = ahead.block.filter(({ problem }) => problem === null);
  const below = sound.slice(0, sampleRows).map((record) => record.cells);
  const first = strict ? cells : withoutEmptyColumns(cells, below);
  const headerless = options.noHeader === true || isHeaderless(first, below, { ...options, hasNames });
  const rowsSeen = headerless ? [first, ...below] : below;
  const question = { ...options, lineNo, unit, hasNames, first, rows: rowsSeen, columnsMax };
  const columns = findColumns(headerless ? { ...question, noHeader: true } : question);
  const numbered = createRowNumbering({
    ...columns,
    fileName,
    unit,
    strict,
    width: list.width ?? cells.length,
    rowsMax,
    keepsBlankRows: options.keepsBlankRows === true,
  });
  let complete = false;

  async function* rows(): AsyncGenerator<readonly RawRow[]> {
    try {
      if (headerless) yield numbered(firstBlock);
      if (ahead.failure !== null) throw ahead.failure;
      // Releases the block as soon as it is processed.
      const block = ahead.block.splice(0);
      if (block.length > 0) yield numbered(block);
      for await (const block of records) yield numbered(block);
      complete = true;
    } finally {
      await list.close();
    }
  }

  function digest(): { readonly sha256: string; readonly bytes: number } {
    assert(complete, 'the digest is known once all rows have been read');
    return list.digest();
  }

  const { proposals, ...used } = columns;
  const findings = findingsOf({ ...used, proposals, headerless }, options);
  const form = { ...read, headerless, ...used, findings };
  return { form, rows: rows(), digest, notes: list.notes, close: list.close };
}

/** Reads the first block of rows, or its error: an error of the header is reported first. */
async function readAhead(
  records: AsyncGenerator<readonly TableRecord[], undefined>,
): Promise<{ readonly block: TableRecord[]; readonly failure: Error | null }> {
  try {
    return { block: [...((await records.next()).value ?? [])], failure: null };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { block: [], failure: error };
  }
}

/** Returns the record with the columns. @throws ValidationError when there is none, or its characters were replaced. */
function firstRecord(
  block: readonly TableRecord[],
  unit: PlaceUnit,
  { fileName, noHeader }: ReadOptions,
): TableRecord {
  const [first] = block;
  if (first === undefined)
    throw fileError(fileName, null, 'The file is empty. Export it again, with its rows.');
  if (first.problem === null || noHeader === true) return first;
  throw damagedHeader({ fileName, lineNo: first.lineNo, unit }, first.problem);
}
