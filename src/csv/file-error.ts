import { TooLarge, ValidationError } from '../core/errors.ts';

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
  const { text, where } = placed(fileName, lineNo, message);
  return new ValidationError(text, { ...options, where });
}

/** The same for a file that is beyond a limit of ours. */
export function fileTooLarge(fileName: string, lineNo: number | null, message: string): TooLarge {
  const { text, where } = placed(fileName, lineNo, message);
  return new TooLarge(text, { where });
}

function placed(fileName: string, lineNo: number | null, message: string) {
  const place = lineNo === null ? fileName : `${fileName}, line ${lineNo}`;
  return { text: `${place}: ${message}`, where: lineNo === null ? fileName : `${fileName}:${lineNo}` };
}
