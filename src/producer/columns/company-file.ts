import type { CompanyField } from './fields.ts';
import type { Operation } from '../../core/credits/price-book.ts';
import type { RecordsForm, RecordsOptions } from '../formats/records-form.ts';
import type { UnusedColumn } from './unused-columns.ts';

/** Reading options of a file of companies. All except the name are detected when not given. */
export interface ReadOptions extends RecordsOptions {
  /**
   * Column of each field, such as `{ company_name: 'Security' }`. Columns are named as in the header, in any case; without a header also by
   * number, from 1; an empty name: no column holds the field. Default: by the names and values of the columns.
   */
  readonly map?: Readonly<Record<string, string>>;
  /** Fields that `map` can have. Default: `company_domain`, `company_name`, `email`. */
  readonly mapFields?: readonly string[];
  /** Keeps rows of empty cells, which are rejected then, instead of leaving them out as blank lines. Default: false. */
  readonly keepsBlankRows?: boolean;
  /** Names of all columns, in order; they replace those of a header. Default: the names in the header. */
  readonly columns?: readonly string[];
  /** Operations on each row. Default: those that its columns allow, ads search for companies and email validation for addresses. */
  readonly operations?: readonly Operation[];
  /**
   * `reject`, the default: rejects a file with an ambiguous column. `guess`: uses the likeliest column of names where no other column
   * identifies companies; for files that were accepted before, without a user to choose.
   */
  readonly onDoubt?: 'reject' | 'guess';
  /** Limits other than the default ones. */
  readonly limits?: Partial<FileLimits>;
}

/** Limits of a file. A file beyond any of them is rejected as a whole, with a message that names it. */
export interface FileLimits {
  /** Data rows. Default: 1,000,000. */
  readonly rowsMax: number;
  /** Decompressed size in bytes. Default: 200 MiB. */
  readonly bytesMax: number;
  /** Size of one record in bytes, as UTF-8 without its quotes. Default: 1 MiB. */
  readonly recordBytesMax: number;
  /** Columns of the header. Default: 2,000. */
  readonly columnsMax: number;
}

/** Default limits; our choice, because a batch that runs overnight has about a million rows. */
export const defaultFileLimits: FileLimits = {
  rowsMax: 1_000_000,
  bytesMax: 200 * 1024 * 1024,
  recordBytesMax: 1024 * 1024,
  columnsMax: 2_000,
};

export { companyFields, type CompanyField } from './fields.ts';

/** Index of the column of each field, from 0; null where the file has none. */
export type ColumnMap = Readonly<Record<CompanyField, number | null>>;

/** Detected form of a file, shown to the user. */
export interface FileForm extends RecordsForm {
  /** Names of all columns, in order; `column_1`, … where neither the file nor the options name them. */
  readonly header: readonly string[];
  readonly fields: ColumnMap;
  /** Evidence for the column of a field: the user's mapping, its name or its values; null where no column holds the field. */
  readonly because: Readonly<Record<CompanyField, 'map' | 'name' | 'values' | null>>;
  /** Names of further columns that may hold a field, best match first. */
  readonly alike: Readonly<Record<CompanyField, readonly string[]>>;
  /** Columns that hold no field. Exports keep them as they are. */
  readonly unused: readonly UnusedColumn[];
  /** True when the first line is data, by an option or by its cells. */
  readonly headerless: boolean;
  /** Columns of `map`, by field, as indexes from 0. */
  readonly mapped: ReadonlyMap<string, number>;
  /** Operations on its rows; at least one. */
  readonly operations: readonly Operation[];
  /** Remarks about the file as a whole, known from its beginning, that need a decision of the user, each with the options for it. */
  readonly findings: readonly string[];
}

/** Data row, usable or not. Blank lines and rows of empty cells do not count. */
export interface RawRow {
  /** Number of the data row, from 1. */
  readonly rowNo: number;
  /** The line of the file where the record starts, or its row of a table, from 1; blank lines and lines within quotes count. */
  readonly lineNo: number;
  /** All cells of the row. Characters that Postgres cannot store are replaced, and `problem` says so. */
  readonly cells: readonly string[];
  /** Reason why the row itself is unusable, or null. */
  readonly problem: string | null;
  /** Remark about the form of a usable row, such as repaired quotes; or null. */
  readonly warning: string | null;
}

/** File with a known form and rows that can be read once. */
export interface CompanyFile {
  readonly form: FileForm;
  /**
   * All data rows in order, in blocks. Iterate them once; leaving early closes the input.
   *
   * @throws ValidationError naming file, line and remedy when the file is malformed or too large. Reject the whole file then.
   */
  readonly rows: AsyncIterable<readonly RawRow[]>;
  /** SHA-256 (hexadecimal) and size of the decompressed content; an assertion fails unless all rows have been read. */
  readonly digest: () => { readonly sha256: string; readonly bytes: number };
  /** Further findings, about its content. Complete once all rows have been read. */
  readonly notes: () => readonly string[];
  /** Closes the input and removes temporary files, as the end of the rows does. Can be called several times. */
  readonly close: () => Promise<void>;
}

/** Returns the index of the column of each field; fields without a column are left out. */
export function usedColumns({ fields }: FileForm): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, index]) => (index === null ? [] : [[field, index]])),
  );
}
