import { TooLarge, ValidationError } from '../core/errors.ts';

/** Unit of the number of a place in a file: a line of a text, or a row of a sheet or another table. */
export type PlaceUnit = 'line' | 'row';

/** Options of an error: its cause, and the unit of the place. Default: `line`. */
export interface FileErrorOptions extends ErrorOptions {
  readonly unit?: PlaceUnit | undefined;
}

/**
 * Creates the error for a rejected file. It names the file and the line (from 1; null if unknown); `message` contains the remedy.
 */
export function fileError(
  fileName: string,
  lineNo: number | null,
  message: string,
  { unit, ...options }: FileErrorOptions = {},
): ValidationError {
  const { text, where } = placed(fileName, lineNo, message, unit);
  return new ValidationError(text, { ...options, where });
}

/** Creates the error for a file beyond a size limit. */
export function fileTooLarge(
  fileName: string,
  lineNo: number | null,
  message: string,
  unit?: PlaceUnit,
): TooLarge {
  const { text, where } = placed(fileName, lineNo, message, unit);
  return new TooLarge(text, { where });
}

function placed(fileName: string, lineNo: number | null, message: string, unit: PlaceUnit = 'line') {
  const place = lineNo === null ? fileName : `${fileName}, ${unit} ${lineNo}`;
  return { text: `${place}: ${message}`, where: lineNo === null ? fileName : `${fileName}:${lineNo}` };
}
