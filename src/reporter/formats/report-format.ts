import { ValidationError } from '../../core/errors.ts';

/** The forms a report can be written in. */
export const reportFormats = ['csv', 'ndjson', 'json'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/**
 * Tells the format by a file's ending, in any case: `.csv`, `.ndjson` or `.jsonl`, `.json`, each also with `.gz`.
 *
 * @throws ValidationError for any other ending; it lists the choices.
 */
export function formatOfFileName(name: string): ReportFormat {
  const ending = /\.([a-z]+)$/.exec(name.toLowerCase().replace(/\.gz$/, ''))?.[1];
  if (ending === 'jsonl') return 'ndjson';
  const format = reportFormats.find((known) => known === ending);
  if (format !== undefined) return format;
  throw new ValidationError(
    `The ending of ${JSON.stringify(name)} names no format of ours. ` +
      'Choose one of .csv, .ndjson, .jsonl and .json, each also with .gz.',
    { where: name },
  );
}

/** Whether a file of this name is written compressed. */
export function isGzipName(name: string): boolean {
  return name.toLowerCase().endsWith('.gz');
}
