import { isUtf8 } from 'node:buffer';
import { createRecordBlocks } from '../records/record-blocks.ts';
import { tableError } from '../records/table-error.ts';
import { noNotes, type FormatTable, type TableOptions } from '../records/table.ts';
import type { TableBlocks } from '../records/table-record.ts';
import type { SpooledFile } from '../files/spool-file.ts';
import { decodeJson } from './decode-json.ts';
import { cellsOf, collectColumns, type ListColumns } from './list-columns.ts';
import { parseValue, ValueError, type ListValue } from './parse-value.ts';
import { malformedJson, type RawValue, type SplitOptions } from './raw-value.ts';
import { splitArray } from './split-array.ts';
import { splitLines } from './split-lines.ts';

/** A value has keys and blanks besides its cells. */
const valueShareMax = 8;

/**
 * Opens a list of JSON values: one per line (NDJSON, JSON Lines), or a JSON array. The values are objects, arrays (the first one is the
 * header), or texts and numbers.
 *
 * The file is read twice: for its columns, and for its rows. A value that is not well-formed is one rejected record, with its line; its text is
 * in the first cell. An array that is cut off is rejected as a whole.
 *
 * @throws ValidationError when the file has no valid record, or is not a list.
 */
export async function openJson(
  file: SpooledFile,
  format: 'ndjson' | 'json',
  options: TableOptions,
): Promise<FormatTable> {
  const { fileName, limits } = options;
  const splitting = { fileName, valueBytesMax: valueShareMax * limits.recordBytesMax };
  const split = format === 'ndjson' ? splitLines : splitArray;
  const values = () => split(decodeJson(file.chunks()), splitting);
  const columns = await findColumns(values(), format, splitting, options);
  return {
    format,
    sheet: null,
    sheets: [],
    records: readRecords(values(), columns, options),
    notes: () => noNotes,
  };
}

/** Invalid lines at the beginning of a file that has no valid one: its objects are written over several lines. */
const invalidLinesMax = 20;

async function findColumns(
  values: AsyncIterable<readonly RawValue[]>,
  format: 'ndjson' | 'json',
  splitting: SplitOptions,
  options: TableOptions,
): Promise<ListColumns> {
  const collector = collectColumns(options);
  let valid = 0;
  let invalid = 0;
  let firstInvalid = 1;
  for await (const block of values) {
    for (const { bytes, lineNo } of block) {
      const value = tryParse(bytes);
      if (value === null) {
        if (invalid === 0) firstInvalid = lineNo;
        invalid += 1;
        if (valid === 0 && invalid > invalidLinesMax) rejectNoRecord();
        continue;
      }
      valid += 1;
      collector.add(value, lineNo);
    }
  }
  if (valid === 0 && invalid > 0) rejectNoRecord();
  return collector.columns();

  function rejectNoRecord(): never {
    if (format === 'json')
      throw malformedJson(splitting, firstInvalid, 'none of the first values can be read');
    throw tableError(
      options.fileName,
      `line ${firstInvalid}`,
      'The line is no JSON object, and neither are the next ones. Save the list as a JSON array or with one object per line (jq -c . FILE); ' +
        "a list within an object is written so with: jq -c '.NAME[]' FILE",
    );
  }
}

function tryParse(bytes: Buffer): ListValue | null {
  try {
    return parseValue(bytes.toString());
  } catch (error) {
    if (error instanceof ValueError) return null;
    throw error;
  }
}

async function* readRecords(
  values: AsyncIterable<readonly RawValue[]>,
  columns: ListColumns,
  { fileName, limits }: TableOptions,
): TableBlocks {
  const blocks = createRecordBlocks({ fileName, limits, unit: 'line', within: null });
  // Of arrays the first one is the header itself.
  let isHeaderNext = columns.kind === 'array';
  if (!isHeaderNext) blocks.add(columns.lineNo, [...columns.header]);
  const early: RawValue[] = [];
  for await (const block of values) {
    for (const value of block) {
      if (!isHeaderNext) addRecord(value);
      else if (value.lineNo < columns.lineNo || tryParse(value.bytes) === null) early.push(value);
      else {
        isHeaderNext = false;
        addRecord(value);
        early.splice(0).forEach(addRecord);
      }
    }
    yield* blocks.full();
  }
  yield* blocks.all();

  function addRecord({ bytes, lineNo }: RawValue): void {
    const text = bytes.toString();
    const encoding = isUtf8(bytes) ? null : 'contains bytes that are not valid in UTF-8 (shown as \ufffd)';
    try {
      blocks.add(lineNo, cellsOf(parseValue(text), columns), encoding);
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      const cells = columns.header.map((_, index) => (index === 0 ? text.trim() : ''));
      blocks.add(lineNo, cells, error.message);
    }
  }
}
