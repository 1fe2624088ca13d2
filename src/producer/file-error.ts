import { ValidationError } from '../core/errors.ts';

/**
 * The error for a file that is refused whole: names the file, the line (from 1, or null where none can be told) and, in
 * the message, the remedy.
 */
export function fileError(
  fileName: string,
  lineNo: number | null,
  message: string,
  options?: ErrorOptions,
): ValidationError {
  const place = lineNo === null ? fileName : `${fileName}, line ${lineNo}`;
  const where = lineNo === null ? fileName : `${fileName}:${lineNo}`;
  return new ValidationError(`${place}: ${message}`, { ...options, where });
}
