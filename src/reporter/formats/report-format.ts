import { ValidationError } from '../../core/errors.ts';

/** The forms a report can be written in. */
export const reportFormats = ['csv', 'ndjson', 'json', 'parquet', 'xlsx'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** Formats that are bytes, not text: no terminal shows them, and they are compressed already. */
const byteFormats: readonly ReportFormat[] = ['parquet', 'xlsx'];

/** True when a report of that format is binary, which no terminal shows. */
export function isByteFormat(format: ReportFormat): boolean {
  return byteFormats.includes(format);
}

/**
 * Tells the format by a file's ending, in any case: `.csv`, `.ndjson` or `.jsonl`, `.json`, each also with `.gz`, `.parquet`,
 * `.xlsx`.
 *
 * @throws ValidationError for any other ending; it lists the choices.
 */
export function formatOfFileName(name: string): ReportFormat {
  const ending = /\.([a-z]+)$/.exec(name.toLowerCase().replace(/\.gz$/, ''))?.[1];
  const format = ending === 'jsonl' ? 'ndjson' : reportFormats.find((known) => known === ending);
  if (format === undefined) {
    throw new ValidationError(
      `The ending of ${JSON.stringify(name)} names no format of ours. ` +
        'Choose one of .csv, .ndjson, .jsonl and .json, each also with .gz, .parquet or .xlsx.',
      { where: name },
    );
  }
  rejectGzip(name, format);
  return format;
}

/** True when a file of this name is written compressed. */
export function isGzipName(name: string): boolean {
  return name.toLowerCase().endsWith('.gz');
}

/**
 * Refuses a name that asks to compress a format that is compressed already, and that its readers want as it is.
 *
 * @throws ValidationError that says how to name the file.
 */
export function rejectGzip(name: string, format: ReportFormat): void {
  if (!isByteFormat(format) || !isGzipName(name)) return;
  throw new ValidationError(
    `${JSON.stringify(name)}: ${format} is compressed already, and its readers want it as it is. Leave the .gz away.`,
    { where: name },
  );
}
