import { ValidationError } from '../../core/errors.ts';

/** Formats of reports. */
export const reportFormats = ['csv', 'ndjson', 'json', 'parquet', 'xlsx'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** Binary formats: they cannot be shown on a terminal and are already compressed. */
const byteFormats: readonly ReportFormat[] = ['parquet', 'xlsx'];

/** True when a report of that format is binary. */
export function isByteFormat(format: ReportFormat): boolean {
  return byteFormats.includes(format);
}

/**
 * Detects the format from the extension of a file name, in any case: `.csv`, `.ndjson` or `.jsonl`, `.json`, each also with
 * `.gz`, `.parquet`, `.xlsx`.
 *
 * @throws ValidationError for any other extension; it lists the choices.
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

/** True when a file of this name is compressed. */
export function isGzipName(name: string): boolean {
  return name.toLowerCase().endsWith('.gz');
}

/**
 * Rejects a name that requests the compression of a compressed format, which its readers do not expect.
 *
 * @throws ValidationError that states how to name the file.
 */
export function rejectGzip(name: string, format: ReportFormat): void {
  if (!isByteFormat(format) || !isGzipName(name)) return;
  throw new ValidationError(
    `${JSON.stringify(name)}: ${format} is compressed already, and its readers want it as it is. Leave the .gz away.`,
    { where: name },
  );
}
