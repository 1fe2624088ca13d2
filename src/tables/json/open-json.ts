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

type JsonFormat = 'ndjson' | 'json';

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
  format: JsonFormat,
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
    // Of arrays the first one is the header.
    hasNames: columns.kind !== 'array',
    records: readRecords(values(), format, columns, options),
    notes: () => noNotes,
  };
}

async function findColumns(
  values: AsyncIterable<readonly RawValue[]>,
  format: JsonFormat,
  splitting: SplitOptions,
  options: TableOptions,
): Promise<ListColumns> {
  const collector = collectColumns(options);
  let valid = 0;
  let invalid = 0;
  let firstInvalid: number | null = null;
  for await (const block of values) {
    for (const { bytes, lineNo } of block) {
      const value = tryParse(bytes, format);
      if (value === null) {
        if (valid === 0) firstInvalid ??= lineNo;
        invalid += 1;
      } else {
        valid += 1;
        collector.add(value, lineNo);
      }
    }
  }
  // A file that begins with an invalid line and has mostly such lines is no list, but for example one object over several lines.
  if (firstInvalid !== null && invalid > valid) throw noList(format, firstInvalid, splitting);
  return collector.columns();
}

function noList(format: JsonFormat, lineNo: number, splitting: SplitOptions): Error {
  if (format === 'json')
    return malformedJson(splitting, lineNo, 'most values, from this one on, cannot be read');
  return tableError(
    splitting.fileName,
    `line ${lineNo}`,
    'The line is no JSON object, and neither are most others. Save the list as a JSON array or with one object per line (jq -c . FILE); ' +
      "a list within an object is written so with: jq -c '.NAME[]' FILE",
  );
}

function tryParse(bytes: Buffer, format: JsonFormat): ListValue | null {
  try {
    return parseRecord(bytes.toString(), format);
  } catch (error) {
    if (error instanceof ValueError) return null;
    throw error;
  }
}

/** Parses a value of the list. Texts and numbers are records of an array only: a line is an object or an array. */
function parseRecord(text: string, format: JsonFormat): ListValue {
  const value = parseValue(text);
  if (format === 'ndjson' && value.kind === 'scalar')
    throw new ValueError('is neither an object nor an array');
  return value;
}

async function* readRecords(
  values: AsyncIterable<readonly RawValue[]>,
  format: JsonFormat,
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
      else if (value.lineNo < columns.lineNo || tryParse(value.bytes, format) === null) early.push(value);
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
      blocks.add(lineNo, cellsOf(parseRecord(text, format), columns), encoding);
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      const cells = columns.header.map((_, index) => (index === 0 ? beginningOf(text) : ''));
      blocks.add(lineNo, cells, error.message);
    }
  }
}

const shownCharsMax = 1_000;

/** Returns the beginning of a value that cannot be read, to recognise it by. */
function beginningOf(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > shownCharsMax ? `${trimmed.slice(0, shownCharsMax - 1)}…` : trimmed;
}
