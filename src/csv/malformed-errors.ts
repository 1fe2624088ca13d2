import { CsvError } from 'csv-parse';
import { fileError } from './file-error.ts';

/** The file, and its limit for one record in bytes. */
export interface RecordLimit {
  readonly fileName: string;
  readonly recordBytesMax: number;
}

/** Remedies for the parser's errors. */
const remedies: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED:
    'A quotation mark is opened in this record and never closed. Close it, or double it if it belongs to the text.',
  CSV_INVALID_CLOSING_QUOTE:
    'After a closing quotation mark comes neither a separator nor a line end. Double the quotation marks that belong to ' +
    'the text ("Toys ""R"" Us"), or say which separator the file has: --delimiter.',
  INVALID_OPENING_QUOTE:
    'A quotation mark stands inside a field that does not begin with one. Put the field in quotation marks and double ' +
    'those that belong to the text ("Toys ""R"" Us"); no space may stand before an opening one.',
};

/** The error for a record beyond the limit; mostly the sign of a quote that is never closed. */
export function recordTooLarge(lineNo: number, { fileName, recordBytesMax }: RecordLimit): Error {
  const size = recordBytesMax % 1024 === 0 ? `${recordBytesMax / 1024} KiB` : `${recordBytesMax} bytes`;
  return fileError(
    fileName,
    lineNo,
    `The record that starts here is larger than ${size}. Look for a quotation mark that is not closed; if the record is ` +
      'right, shorten it.',
  );
}

/** Translates what the parser throws at the record that starts on `lineNo`; anything else is handed back as it is. */
export function unreadableRecord(error: unknown, lineNo: number, limit: RecordLimit): unknown {
  if (!(error instanceof CsvError)) return error;
  if (error.code === 'CSV_MAX_RECORD_SIZE') return recordTooLarge(lineNo, limit);
  const remedy = remedies[error.code] ?? `The file is not well-formed CSV: ${error.message}.`;
  return fileError(limit.fileName, lineNo, remedy, { cause: error });
}
