import { TooLarge, ValidationError } from '../core/errors.ts';

/**
 * Creates the error for a rejected file. It names the file and the line (from 1; null if unknown); `message` contains the remedy.
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

/** Creates the error for a file beyond a size limit. */
export function fileTooLarge(fileName: string, lineNo: number | null, message: string): TooLarge {
  const { text, where } = placed(fileName, lineNo, message);
  return new TooLarge(text, { where });
}

function placed(fileName: string, lineNo: number | null, message: string) {
  const place = lineNo === null ? fileName : `${fileName}, line ${lineNo}`;
  return { text: `${place}: ${message}`, where: lineNo === null ? fileName : `${fileName}:${lineNo}` };
}
