import { ValidationError } from '../../../core/errors.ts';
import { csvDelimiters, type CsvOptions } from '../../../reporter/formats/csv.ts';
import type { ReportFormat } from '../../../reporter/formats/report-format.ts';

/** Form of written CSV. */
export type CsvForm = Pick<CsvOptions, 'delimiter' | 'bom'>;

/** Options of `export` for CSV. */
export interface CsvFormOptions {
  readonly delimiter?: string;
  readonly bom?: boolean;
}

/** Parses the form of an export. @throws ValidationError for another delimiter, or when the export is not CSV */
export function parseCsvForm({ delimiter, bom }: CsvFormOptions, format: ReportFormat): CsvForm {
  const option = delimiter === undefined ? '--bom' : '--delimiter';
  if ((delimiter !== undefined || bom === true) && format !== 'csv')
    throw new ValidationError(`${option} is for CSV, and the format is ${format}.`);
  return {
    ...(delimiter === undefined ? {} : { delimiter: parseDelimiter(delimiter) }),
    bom: bom === true,
  };
}

function parseDelimiter(text: string): (typeof csvDelimiters)[number] {
  const found = csvDelimiters.find((each) => each === (text.toLowerCase() === 'tab' ? '\t' : text));
  if (found !== undefined) return found;
  throw new ValidationError(`--delimiter ${JSON.stringify(text)}: use a comma, a semicolon, tab or a pipe.`);
}
