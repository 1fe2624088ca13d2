import type { Container } from '../../tables/open-list.ts';
import type { SheetInfo } from '../../tables/records/table.ts';
import type { FileFormat } from './file-formats.ts';

/** Options that decide on the records of a file. All except the name are detected when not given. */
export interface RecordsOptions {
  /** Name of the file in messages: a path, or `standard input`. */
  readonly fileName: string;
  /** Encoding name of the WHATWG Encoding Standard, such as `windows-1252`, or `cp850` or `cp437`. Default: detected from the first 256 KiB. */
  readonly encoding?: string;
  /** 1 to 10 characters, or `tab`. Default: detected from the first records, among comma, semicolon, tab, pipe and blank. */
  readonly delimiter?: string;
  /** Character that encloses cells. Default: `"` or `'`, detected. */
  readonly quote?: string;
  /** Character before a quote in the text of a quoted cell. Default: the quote itself or a backslash, detected. */
  readonly escape?: string;
  /** Name of the sheet to read, in any case. Default: the first visible one with content. */
  readonly sheet?: string;
  /** Number of lines, or rows of a sheet, above the header to leave out. Default: detected, at most 20 records. */
  readonly skipLines?: number;
  /** Rejects a file that is not well-formed: misplaced quotes, invalid characters, columns without a name of their own. Default: false. */
  readonly strict?: boolean;
  /** The first line is data, not a header. Default: detected by addresses in it. */
  readonly noHeader?: boolean;
}

/** Form of a file before its columns are known. */
export interface RecordsForm {
  readonly format: FileFormat;
  /** Name of the sheet that is read; null for a format without sheets. */
  readonly sheet: string | null;
  /** All sheets, in order; empty for a format without them. */
  readonly sheets: readonly SheetInfo[];
  /** Archives around the file, the outermost first. */
  readonly containers: readonly Container[];
  /** In lower case, such as `utf-8`, `utf-16le`, `windows-1252`. Null, as are the next three, for another format than CSV. */
  readonly encoding: string | null;
  readonly delimiter: string | null;
  readonly quote: string | null;
  /** Character before a quote in the text of a quoted cell: the quote itself, or another one. */
  readonly escape: string | null;
  /** Number of lines or rows above the header that are left out. */
  readonly linesAbove: number;
}
