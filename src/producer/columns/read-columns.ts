import type { Readable } from 'node:stream';
import { recogniseColumns, sampleRows, type FieldChoice } from './recognise-columns.ts';
import { defaultFileLimits, type CompanyField, type ReadOptions } from './company-file.ts';
import { fileError } from '../../csv/file-error.ts';
import { damagedHeader, looksLikeData, readHeader, withoutEmptyColumns } from './header.ts';
import { completeColumnNames } from './complete-column-names.ts';
import { openRecords } from '../../csv/records/open-records.ts';
import type { TableRecord } from '../../csv/records/read-records.ts';
import { decodeHead } from '../../csv/decode-head.ts';
import { sniff, sniffBytes, type TextForm } from '../../csv/sniff.ts';
import type { SheetInfo } from '../../tables/records/table.ts';
import type { FileFormat } from '../formats/file-formats.ts';
import type { RecordsForm, RecordsOptions } from '../formats/records-form.ts';
import {
  openOwnList,
  recordsOfTable,
  textForm,
  textHead,
  type ListRecords,
} from '../formats/list-records.ts';
import type { UnusedColumn } from './unused-columns.ts';

/** Problem of a header: it looks like data, a column has no name, or two have the same. The latter two get names. */
export type HeaderProblem = 'looks_like_data' | 'unnamed_column' | 'repeated_name';

/** Columns of a file, for a user who maps them. */
export interface ListColumns {
  readonly format: FileFormat;
  /** Name of the sheet that is read; null for a format without sheets. */
  readonly sheet: string | null;
  /** All sheets, in order. */
  readonly sheets: readonly SheetInfo[];
  /** Null, as is the delimiter, for another format than CSV. */
  readonly encoding: string | null;
  readonly delimiter: string | null;
  /** Number of lines or rows above the header that are left out. */
  readonly linesAbove: number;
  /** All columns; one without a name of its own with the name that it gets. */
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
export type ColumnReading = RecordsOptions & Pick<ReadOptions, 'columns'>;

/** The header and the rows for the recognition of columns. */
const recordsMax = sampleRows + 1;
const examplesMax = 3;
const exampleCharsMax = 100;

/**
 * Reads the columns of a file: of a text from its first 256 KiB, which may be cut off anywhere, of another one from all of it.
 *
 * Unlike `readCompanies`, it accepts a header in which no column, or several, match a field, because the user is about to map them.
 *
 * @throws ValidationError for a file that is no list.
 */
export async function readColumns(input: Readable, reading: ColumnReading): Promise<ListColumns> {
  const list = await openOwnList(input, reading, defaultFileLimits);
  try {
    if (list.kind === 'text') {
      const head = textHead(list);
      const text = sniff(head, reading);
      const records = await firstRecords(head, text, reading);
      return { ...formOf(textForm(list, text)), ...describe(records, reading, { unit: 'line' }) };
    }
    const { form, unit, hasNames, records } = recordsOfTable(list, reading);
    return { ...formOf(form), ...describe(await takeRecords(records), reading, { unit, hasNames }) };
  } finally {
    await list.close();
  }
}

function formOf({ format, sheet, sheets, encoding, delimiter, linesAbove }: RecordsForm) {
  return { format, sheet, sheets, encoding, delimiter, linesAbove };
}

async function takeRecords(blocks: ListRecords['records']): Promise<readonly TableRecord[]> {
  const records: TableRecord[] = [];
  for await (const block of blocks) {
    records.push(...block);
    if (records.length >= recordsMax) break;
  }
  return records.slice(0, recordsMax);
}

/**
 * Reads the header and the first rows. The last record of a file that goes on can be cut off, so it is left out. Invalid characters become
 * U+FFFD: reading the whole file reports them.
 */
async function firstRecords(
  head: Buffer,
  form: TextForm,
  { fileName, strict }: ColumnReading,
): Promise<readonly TableRecord[]> {
  const records: TableRecord[] = [];
  const { recordBytesMax } = defaultFileLimits;
  async function* bytes() {
    yield Buffer.from(decodeHead(head, form));
  }
  const decoded = { ...form, encoding: 'utf-8', bomBytes: 0 };
  for await (const block of openRecords(bytes(), decoded, { fileName, recordBytesMax, strict })) {
    records.push(...block);
    if (records.length > recordsMax) return records.slice(0, recordsMax);
  }
  return head.length < sniffBytes ? records : records.slice(0, -1);
}

function describe(
  records: readonly TableRecord[],
  { fileName, noHeader = false, columns, strict }: ColumnReading,
  { unit, hasNames }: Partial<Pick<ListRecords, 'unit' | 'hasNames'>>,
): Omit<ListColumns, keyof ReturnType<typeof formOf>> {
  const [header] = records;
  if (header === undefined)
    throw fileError(fileName, null, 'The file is empty. Export it again, with its rows.');
  const { lineNo, problem: damage } = header;
  if (damage !== null && !noHeader) throw damagedHeader({ fileName, lineNo, unit }, damage);
  const { columnsMax } = defaultFileLimits;
  const sound = records.filter((record) => record === header || record.problem === null);
  const rows = (noHeader ? sound : sound.slice(1)).slice(0, sampleRows).map(({ cells }) => cells);
  const first = strict === true ? header.cells : withoutEmptyColumns(header.cells, rows);
  const isGiven = noHeader || columns !== undefined;
  const mayBeData = hasNames !== true;
  const problem = isGiven || first.length > columnsMax ? null : problemOf(first, mayBeData);
  const question = { fileName, lineNo, unit, hasNames, first, noHeader, columns, strict, columnsMax };
  const names = problem === 'looks_like_data' ? completeColumnNames(first) : readHeader(question);
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
function problemOf(cells: readonly string[], mayBeData: boolean): HeaderProblem | null {
  if (mayBeData && cells.some(looksLikeData)) return 'looks_like_data';
  const names = cells.map((cell) => cell.trim());
  if (names.includes('')) return 'unnamed_column';
  return new Set(names).size < names.length ? 'repeated_name' : null;
}

function examplesOf(index: number, rows: readonly (readonly string[])[]): readonly string[] {
  return rows
    .map((cells) => (cells[index] ?? '').trim())
    .filter((cell) => cell !== '')
    .slice(0, examplesMax)
    .map((cell) => cell.slice(0, exampleCharsMax));
}
