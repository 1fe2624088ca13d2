import type { BatchSummary } from '../../../core/batches/batch.ts';
import { ValidationError } from '../../../core/errors.ts';
import { csvDelimiters, excelForm, type CsvOptions } from '../../../reporter/formats/csv.ts';
import type { ReportFormat } from '../../../reporter/formats/report-format.ts';

/** Form of written CSV. */
export type CsvForm = Pick<CsvOptions, 'delimiter' | 'decimal' | 'bom'>;

/** Options of `export` for CSV. */
export interface CsvFormOptions {
  readonly delimiter?: string;
  readonly bom?: boolean;
  /** True for the form of the input, for Excel; `delimiter` replaces that of the input. */
  readonly forExcel?: boolean;
}

/** Parses the form of an export. @throws ValidationError for another delimiter, or when the export is not CSV */
export function parseCsvForm({ delimiter, bom, forExcel }: CsvFormOptions, format: ReportFormat): CsvForm {
  const [option] = [
    ...(delimiter === undefined ? [] : ['--delimiter']),
    ...(bom === true ? ['--bom'] : []),
    ...(forExcel === true ? ['--for-excel'] : []),
  ];
  if (option !== undefined && format !== 'csv')
    throw new ValidationError(`${option} is for CSV, and the format is ${format}.`);
  return {
    ...(delimiter === undefined ? {} : { delimiter: parseDelimiter(delimiter) }),
    bom: bom === true,
  };
}

/** Returns the form of CSV for a batch: with `--for-excel` that of its file, unless `--delimiter` names another. */
export function csvFormOf(
  { forExcel, csv = {} }: Pick<CsvFormOptions, 'forExcel'> & { readonly csv?: CsvForm },
  { delimiter }: Pick<BatchSummary, 'delimiter'>,
): CsvForm {
  return forExcel === true ? excelForm(csv.delimiter ?? delimiter) : csv;
}

function parseDelimiter(text: string): (typeof csvDelimiters)[number] {
  const found = csvDelimiters.find((each) => each === (text.toLowerCase() === 'tab' ? '\t' : text));
  if (found !== undefined) return found;
  throw new ValidationError(`--delimiter ${JSON.stringify(text)}: use a comma, a semicolon, tab or a pipe.`);
}
