import { ValidationError } from '../../core/errors.ts';

/** The forms that a report for people can be written in. */
export const documentFormats = ['html', 'md'] as const;
export type DocumentFormat = (typeof documentFormats)[number];

/**
 * Tells the form by a file's ending, in any case: `.html` or `.htm`, `.md` or `.markdown`.
 *
 * @throws ValidationError for any other ending; it lists the choices.
 */
export function documentFormatOf(name: string): DocumentFormat {
  const ending = /\.([a-z]+)$/.exec(name.toLowerCase())?.[1] ?? '';
  if (['html', 'htm'].includes(ending)) return 'html';
  if (['md', 'markdown'].includes(ending)) return 'md';
  throw new ValidationError(
    `The ending of ${JSON.stringify(name)} names no form of a report. Choose .html or .md, or say --format.`,
    { where: name },
  );
}
