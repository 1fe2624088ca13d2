import { TooLarge, ValidationError } from '../../core/errors.ts';

/**
 * The remedies of a list name options as the command line has them; over HTTP the same options are parameters: `--map a=B` is
 * `map=a=B`, `--no-header` is `header=false`.
 */
function inHttpTerms(text: string): string {
  return text
    .replaceAll('--no-header --columns ', 'header=false&columns=')
    .replaceAll('--no-header', 'header=false')
    .replace(/--(map|columns|encoding|delimiter) (?=[\w-]*[=,\d])/g, '$1=')
    .replace(/--(map|columns|encoding|delimiter)/g, '$1');
}

/** Lets a refusal of a list pass in the words of HTTP. */
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
