import { tableError, tableTooLarge } from '../records/table-error.ts';

/** Value of a list, as its bytes in UTF-8. */
export interface RawValue {
  /** Line of the file where it starts, from 1. */
  readonly lineNo: number;
  readonly bytes: Buffer;
}

/** Options of a splitter. */
export interface SplitOptions {
  readonly fileName: string;
  /** Maximum size of a value in bytes, with its keys and blanks. */
  readonly valueBytesMax: number;
  /** Remedy for a file that is not well-formed. Default: that of a list. */
  readonly remedy?: string;
}

/** Creates the error for a value beyond the limit. */
export function valueTooLarge({ fileName, valueBytesMax }: SplitOptions, lineNo: number): Error {
  return tableTooLarge(
    fileName,
    `line ${lineNo}`,
    `The JSON value that starts here is larger than ${valueBytesMax} bytes. Remove nested data that is not needed.`,
  );
}

/** Creates the error for a file that is not well-formed as a whole. */
export function malformedJson({ fileName, remedy }: SplitOptions, lineNo: number, reason: string): Error {
  return tableError(
    fileName,
    `line ${lineNo}`,
    `The JSON is not well-formed: ${reason}. ${remedy ?? 'Export the file again, or save the list as CSV (UTF-8).'}`,
  );
}
