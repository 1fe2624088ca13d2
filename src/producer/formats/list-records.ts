import type { Readable } from 'node:stream';
import type { PlaceUnit } from '../../csv/file-error.ts';
import { parseSkipLines } from '../../csv/parse-form.ts';
import { openRecords } from '../../csv/records/open-records.ts';
import type { TableRecord } from '../../csv/records/read-records.ts';
import { rejectMistakes } from '../../csv/records/reject-mistakes.ts';
import { sniff, sniffBytes, type TextForm } from '../../csv/sniff.ts';
import { openList, type OpenedList, type OpenedTable, type OpenedText } from '../../tables/open-list.ts';
import type { TableLimits } from '../../tables/records/table-record.ts';
import { hasSheets, placeUnit } from './file-formats.ts';
import { rejectOtherOptions } from './format-options.ts';
import type { RecordsForm, RecordsOptions } from './records-form.ts';
import { describeNotes } from './table-notes.ts';

/** Records of a file of any format. */
export interface ListRecords {
  readonly form: RecordsForm;
  readonly unit: PlaceUnit;
  /** True when the format names the columns, so that the header is no row. */
  readonly hasNames: boolean;
  /** Usual number of cells of a record; null: as many as the header has. */
  readonly width: number | null;
  /** Header and rows, in blocks; the header is a block of its own. Iterate them once. @throws ValidationError */
  readonly records: AsyncGenerator<readonly TableRecord[], undefined>;
  readonly digest: () => { readonly sha256: string; readonly bytes: number };
  /** Findings about the content; complete once all records have been read. */
  readonly notes: () => readonly string[];
  readonly close: () => Promise<void>;
}

/**
 * Opens a file whose options fit its format.
 *
 * @throws ValidationError for a file that is no list, and for an option that has no meaning for its format. The input is closed then.
 */
export async function openOwnList(
  input: Readable,
  options: RecordsOptions,
  limits: TableLimits,
): Promise<OpenedList> {
  const { fileName, sheet, skipLines } = options;
  const list = await openList(input, { fileName, sheet, skipRows: skipLines, limits }, sniffBytes);
  try {
    if (skipLines !== undefined) parseSkipLines(skipLines);
    rejectOtherOptions(list, options);
    return list;
  } catch (error) {
    await list.close();
    throw error;
  }
}

/** Opens the records of a file of any format. @throws ValidationError naming file, place and remedy. The input is closed then. */
export async function openListRecords(
  input: Readable,
  options: RecordsOptions,
  limits: TableLimits,
): Promise<ListRecords> {
  const list = await openOwnList(input, options, limits);
  try {
    return list.kind === 'text'
      ? recordsOfText(list, sniff(textHead(list), options), options, limits)
      : recordsOfTable(list, options);
  } catch (error) {
    await list.close();
    throw error;
  }
}

/** Returns the beginning of a text from which its form is detected. */
export function textHead({ head }: OpenedText): Buffer {
  return head.subarray(0, sniffBytes);
}

/** Returns the form of a text. */
export function textForm(
  { containers }: Pick<OpenedText, 'containers'>,
  { encoding, delimiter, quote, escape, linesAbove }: TextForm,
): RecordsForm {
  return {
    format: 'csv',
    sheet: null,
    sheets: [],
    containers,
    encoding,
    delimiter,
    quote,
    escape,
    linesAbove,
  };
}

function recordsOfText(
  list: OpenedText,
  text: TextForm,
  { fileName, strict }: RecordsOptions,
  limits: TableLimits,
): ListRecords {
  return {
    form: textForm(list, text),
    unit: placeUnit('csv'),
    hasNames: false,
    width: text.width,
    records: openRecords(list.chunks, text, { fileName, strict, ...limits }),
    digest: list.digest,
    notes: () => [],
    close: list.close,
  };
}

/** Returns the records of a table. */
export function recordsOfTable(
  list: OpenedTable,
  { fileName, strict, sheet: wanted }: RecordsOptions,
): ListRecords {
  const { format, sheet, sheets, containers, hasNames, records, digest, close } = list;
  const unit = placeUnit(format);
  // The rows above the header are known from the beginning.
  const linesAbove = list.notes().rowsAbove;
  return {
    form: {
      format,
      sheet,
      sheets,
      containers,
      encoding: null,
      delimiter: null,
      quote: null,
      escape: null,
      linesAbove,
    },
    unit,
    hasNames,
    width: null,
    records: strict === true ? rejectMistakes(records, fileName, unit) : records,
    digest,
    notes: () =>
      describeNotes(list.notes(), hasSheets(format) && wanted === undefined ? { sheet, sheets } : null),
    close,
  };
}
