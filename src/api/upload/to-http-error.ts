import { TooLarge, ValidationError } from '../../core/errors.ts';

/**
 * Replaces the command-line options in an error message with the parameters of the API: `--map a=B` with `map=a=B`, `--no-header` with
 * `header=false`.
 */
export function inHttpTerms(text: string): string {
  return text
    .replaceAll('--no-header --columns ', 'header=false&columns=')
    .replaceAll('--no-header', 'header=false')
    .replaceAll('--skip-lines', 'skip_lines')
    .replaceAll('--sheet NAME', 'sheet=NAME')
    .replace(/--(map|columns|encoding|delimiter|quote|escape|sheet) (?=[\w-]*[=,\d])/g, '$1=')
    .replace(/--(map|columns|encoding|delimiter|quote|escape|sheet)/g, '$1');
}

/** Rethrows the error of a file with the parameters of the API in its message. */
export async function toHttpError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const options = { cause: error, ...(error.where === undefined ? {} : { where: error.where }) };
    const text = inHttpTerms(error.message);
    throw error instanceof TooLarge ? new TooLarge(text, options) : new ValidationError(text, options);
  }
}
