import type { Readable } from 'node:stream';
import { parse } from 'csv-parse/sync';
import { recogniseColumns, sampleRows, type FieldChoice } from '../../core/columns/recognise-columns.ts';
import { defaultFileLimits, type CompanyField, type ReadOptions } from './company-file.ts';
import { fileError } from '../../csv/file-error.ts';
import { damagedHeader, looksLikeData, readHeader } from './header.ts';
import { unreadableRecord } from '../../csv/malformed-errors.ts';
import { dedupeColumnNames } from './dedupe-column-names.ts';
import { readBytes } from '../../csv/read-bytes.ts';
import { describeProblems, replaceNul } from '../../csv/record-cells.ts';
import { sniff, sniffBytes, type TextForm } from '../../csv/sniff.ts';
import type { UnusedColumn } from '../../core/columns/unused-columns.ts';

/** Problem of a header: it looks like data, a column has no name, or two have the same. */
export type HeaderProblem = 'looks_like_data' | 'unnamed_column' | 'repeated_name';

/** Columns of a file, for a user who maps them. */
export interface ListColumns {
  readonly encoding: string;
  /** One character. */
  readonly delimiter: string;
  /** All columns; for a header with a problem, with completed names. */
  readonly columns: readonly ListColumn[];
  /** Columns that may hold each field, by their names and values, best match first. */
  readonly guesses: Readonly<Record<CompanyField, readonly string[]>>;
  /** Column that is used for each field by default; null where it is ambiguous. */
  readonly taken: Readonly<
    Record<CompanyField, { readonly column: string; readonly because: 'name' | 'values' } | null>
  >;
  /** Problem of the header; null when it can be used. */
  readonly problem: HeaderProblem | null;
}

/** Column, with its contents in the first rows. */
export interface ListColumn {
  readonly name: string;
  /** Up to three non-empty cells, truncated. */
  readonly examples: readonly string[];
  readonly looksLike: UnusedColumn['looksLike'];
}

/** Reading options that do not depend on the columns. */
export type ColumnReading = Pick<ReadOptions, 'fileName' | 'encoding' | 'delimiter' | 'noHeader' | 'columns'>;

/** The header and the rows for the recognition of columns. */
const recordsMax = sampleRows + 1;
const examplesMax = 3;
const exampleCharsMax = 100;

/**
 * Reads the columns of a file from its first 256 KiB.
 *
 * Unlike `readCompanies`, it accepts a header in which no column, or several, match a field, because the user is about to map them.
 *
 * @throws ValidationError for a file that is not text with columns.
 */
export async function readColumns(input: Readable, reading: ColumnReading): Promise<ListColumns> {
  try {
    const { bytesMax } = defaultFileLimits;
    const { fileName } = reading;
    const { head } = await readBytes(input, { fileName, bytesMax, headBytes: sniffBytes });
    const bytes = head.subarray(0, sniffBytes);
    const form = sniff(bytes, reading);
    const records = firstRecords(textOf(bytes, form), form, fileName);
    return { encoding: form.encoding, delimiter: form.delimiter, ...describe(records, reading) };
  } finally {
    input.destroy();
  }
}

/** Decodes bytes for a preview. Invalid characters become U+FFFD; reading the whole file reports them with their line. */
function textOf(bytes: Buffer, { encoding, bomBytes, sepLineBytes }: TextForm): Buffer {
  const text = new TextDecoder(encoding).decode(bytes.subarray(bomBytes));
  return Buffer.from(text).subarray(sepLineBytes);
}

/**
 * Parses the header and the first rows. The text can be cut off anywhere, so a row that cannot be parsed ends them; its error is reported
 * when the whole file is read.
 */
function firstRecords(text: Buffer, { delimiter }: TextForm, fileName: string): readonly string[][] {
  const records: string[][] = [];
  const { recordBytesMax } = defaultFileLimits;
  try {
    parse(text, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: recordBytesMax,
      to: recordsMax,
      on_record: (record: string[]) => void records.push(record),
    });
  } catch (error) {
    if (records.length === 0) throw unreadableRecord(error, 1, { fileName, recordBytesMax });
  }
  return records;
}

function describe(
  records: readonly string[][],
  { fileName, noHeader = false, columns }: ColumnReading,
): Omit<ListColumns, 'encoding' | 'delimiter'> {
  const [first] = records;
  if (first === undefined)
    throw fileError(fileName, null, 'The file is empty. Export it again, with its rows.');
  const { columnsMax } = defaultFileLimits;
  const isGiven = noHeader || columns !== undefined;
  const [damage = null] = records.map((cells) => describeProblems(replaceNul(cells), false));
  if (damage !== null && !noHeader) throw damagedHeader(fileName, 1, damage);
  const problem = isGiven || first.length > columnsMax ? null : problemOf(first);
  const question = { fileName, lineNo: 1, first, noHeader, columns, columnsMax };
  const names = problem === null ? readHeader(question) : dedupeColumnNames(first);
  const rows = (noHeader ? records : records.slice(1)).slice(0, sampleRows);
  const { columns: seen, fields } = recogniseColumns({ header: names, rows });
  const guess = ({ column, others }: FieldChoice) =>
    [...(column === null ? [] : [column]), ...others].map(({ name }) => name);
  const take = ({ column, because }: FieldChoice) =>
    column === null || because === null ? null : { column: column.name, because };
  return {
    columns: seen.map(({ name, index, values, looksLike }) => ({
      name,
      examples: examplesOf(index, rows),
      looksLike: looksLike ?? (values.filled === 0 ? 'empty' : 'mixed'),
    })),
    guesses: {
      company_domain: guess(fields.company_domain),
      company_name: guess(fields.company_name),
      email: guess(fields.email),
    },
    taken: {
      company_domain: take(fields.company_domain),
      company_name: take(fields.company_name),
      email: take(fields.email),
    },
    problem,
  };
}

/** Finds the first problem, in the order of `readHeader`. */
function problemOf(cells: readonly string[]): HeaderProblem | null {
  if (cells.some(looksLikeData)) return 'looks_like_data';
  const names = cells.map((cell) => cell.trim());
  if (names.includes('')) return 'unnamed_column';
  return new Set(names).size < names.length ? 'repeated_name' : null;
}

function examplesOf(index: number, rows: readonly string[][]): readonly string[] {
  return rows
    .map((cells) => (cells[index] ?? '').trim())
    .filter((cell) => cell !== '')
    .slice(0, examplesMax)
    .map((cell) => cell.slice(0, exampleCharsMax));
}
