import type { CompanyField } from './fields.ts';
import type { Operation } from '../../core/credits/price-book.ts';
import type { UnusedColumn } from './unused-columns.ts';

/** Reading options of a file of companies. All except the name are detected when not given. */
export interface ReadOptions {
  /** The name messages use for the file: a path, or `standard input`. */
  readonly fileName: string;
  /**
   * Column of each field, e.g. `{ company_name: 'Security' }`. `{ company_name: 'Security' }`. Columns are named as in the header, in any
   * case; without a header also by number, from 1; an empty name: no column holds the field. Default: by the columns' names and values.
   */
  readonly map?: Readonly<Record<string, string>>;
  /** The fields that `map` may name. Default: `company_domain`, `company_name`, `email`. */
  readonly mapFields?: readonly string[];
  /** Any encoding name of the WHATWG Encoding Standard, e.g. `windows-1252`. Default: found out from the first 256 KiB. */
  readonly encoding?: string;
  /** One character, or `tab`. Default: found out from the first 256 KiB, among comma, semicolon, tab and bar. */
  readonly delimiter?: string;
  /** The first line is data, not a header. Default: found out, by addresses in it. */
  readonly noHeader?: boolean;
  /** Names for all columns, in order; they replace those of the header, where there is one. Default: the header's own. */
  readonly columns?: readonly string[];
  /** Operations on each row. Default: those that its columns allow, ads search for companies and email validation for addresses. */
  readonly operations?: readonly Operation[];
  /**
   * `refuse`, the default: a list is refused where a column may hold more than is certain. `guess`: the likeliest column of names is taken
   * where there is no other of companies; for lists that were taken before, when there is no user to ask.
   */
  readonly onDoubt?: 'refuse' | 'guess';
  /** Limits other than the default ones. */
  readonly limits?: Partial<FileLimits>;
}

/** Limits of a file. A file beyond any of them is rejected as a whole, with a message that names it. */
export interface FileLimits {
  /** Data rows. Default: 1,000,000. */
  readonly rowsMax: number;
  /** Decompressed size in bytes. Default: 200 MiB. */
  readonly bytesMax: number;
  /** Size of one record in bytes, as UTF-8 without its quotes. Default: 64 KiB; stops an unclosed quote early. */
  readonly recordBytesMax: number;
  /** Columns of the header. Default: 200. */
  readonly columnsMax: number;
}

/** The limits that hold unless others are given; our choice, because a night is about a million rows long. */
export const defaultFileLimits: FileLimits = {
  rowsMax: 1_000_000,
  bytesMax: 200 * 1024 * 1024,
  recordBytesMax: 64 * 1024,
  columnsMax: 200,
};

export { companyFields, type CompanyField } from './fields.ts';

/** For each field the index of its column, from 0, or null where the file has none. */
export type ColumnMap = Readonly<Record<CompanyField, number | null>>;

/** The form of the file as it was understood, to be shown back to the user. */
export interface FileForm {
  /** In lower case, e.g. `utf-8`, `utf-16le`, `windows-1252`. */
  readonly encoding: string;
  /** One character. */
  readonly delimiter: string;
  /** The file came gzipped. */
  readonly compressed: boolean;
  /** The names of all columns, in order; `column_1`, … where neither the file nor the options name them. */
  readonly header: readonly string[];
  readonly fields: ColumnMap;
  /** The reason why a field is in its column: the user's map, the column's name, its values; null where no column holds the field. */
  readonly because: Readonly<Record<CompanyField, 'map' | 'name' | 'values' | null>>;
  /** The names of further columns that may hold a field, the most telling first. */
  readonly alike: Readonly<Record<CompanyField, readonly string[]>>;
  /** The columns that hold no field: they come back untouched. */
  readonly unused: readonly UnusedColumn[];
  /** The first line is data, by the user's word or because it looks like it. */
  readonly headerless: boolean;
  /** The columns that `map` names, by field, as indexes from 0. */
  readonly mapped: ReadonlyMap<string, number>;
  /** Operations on its rows; at least one. */
  readonly operations: readonly Operation[];
}

/** One data row, whether usable or not. A blank line is no data row. */
export interface RawRow {
  /** Counts data rows, from 1. */
  readonly rowNo: number;
  /** The line of the file where the record starts, from 1; blank lines and lines within quotes count. */
  readonly lineNo: number;
  /** All cells of the row, as many as it had; what Postgres cannot store is replaced, and `problem` says so. */
  readonly cells: readonly string[];
  /** Why the row itself is unusable, or null. */
  readonly problem: string | null;
}

/** A file whose form is known and whose rows are yet to be read, once. */
export interface CompanyFile {
  readonly form: FileForm;
  /**
   * All data rows in order, in blocks of 1,000. To be iterated once; leaving early closes the input.
   *
   * @throws ValidationError naming file, line and remedy where the file is malformed or too large: refuse it whole.
   */
  readonly rows: AsyncIterable<readonly RawRow[]>;
  /** SHA-256 (hexadecimal) and size of the decompressed content; an assertion fails unless all rows have been read. */
  readonly digest: () => { readonly sha256: string; readonly bytes: number };
}

/** By field, the index of the column that holds it; fields that no column holds are left out. */
export function usedColumns({ fields }: FileForm): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, index]) => (index === null ? [] : [[field, index]])),
  );
}
