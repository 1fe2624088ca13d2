import { CsvError } from 'csv-parse';
import { fileError } from './file-error.ts';

/** File, and its limit for a record in bytes. */
export interface RecordLimit {
  readonly fileName: string;
  readonly recordBytesMax: number;
}

/** Messages for errors of the parser. */
const remedies: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED:
    'A quotation mark in this record is never closed. Close it, or double it if it belongs to the text.',
  CSV_INVALID_CLOSING_QUOTE:
    'A closing quotation mark is followed by neither a delimiter nor a line end. Double the quotation marks that belong to ' +
    'the text ("Toys ""R"" Us"), or set the delimiter of the file with --delimiter.',
  INVALID_OPENING_QUOTE:
    'An unquoted field contains a quotation mark. Put the field in quotation marks and double ' +
    'those that belong to the text ("Toys ""R"" Us"); do not put a space before an opening one.',
};

/** Creates the error for a record beyond the limit, usually caused by an unclosed quotation mark. */
export function recordTooLarge(lineNo: number, { fileName, recordBytesMax }: RecordLimit): Error {
  const size = recordBytesMax % 1024 === 0 ? `${recordBytesMax / 1024} KiB` : `${recordBytesMax} bytes`;
  return fileError(
    fileName,
    lineNo,
    `The record that starts here is larger than ${size}. Look for an unclosed quotation mark; if the record is ` +
      'correct, shorten it.',
  );
}

/** Translates an error of the parser at the record that starts on `lineNo`; any other error is returned as it is. */
export function unreadableRecord(error: unknown, lineNo: number, limit: RecordLimit): unknown {
  if (!(error instanceof CsvError)) return error;
  if (error.code === 'CSV_MAX_RECORD_SIZE') return recordTooLarge(lineNo, limit);
  const remedy = remedies[error.code] ?? `The file is not well-formed CSV: ${error.message}.`;
  return fileError(limit.fileName, lineNo, remedy, { cause: error });
}
