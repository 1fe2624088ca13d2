import { ValidationError } from '../../core/errors.ts';

/** Formats of report documents. */
export const documentFormats = ['html', 'md'] as const;
/** Format of a report document. */
export type DocumentFormat = (typeof documentFormats)[number];

/**
 * Detects the format from the extension of a file name: `.html` or `.htm`, `.md` or `.markdown`, in any case.
 *
 * @throws ValidationError for any other extension; it lists the choices.
 */
export function documentFormatOf(name: string): DocumentFormat {
  const extension = /\.([a-z]+)$/.exec(name.toLowerCase())?.[1] ?? '';
  if (['html', 'htm'].includes(extension)) return 'html';
  if (['md', 'markdown'].includes(extension)) return 'md';
  throw new ValidationError(
    `Unknown report format in ${JSON.stringify(name)}. Use the extension .html or .md, or set --format.`,
    { where: name },
  );
}
