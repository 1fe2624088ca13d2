import { TooLarge, ValidationError } from '../../core/errors.ts';

/**
 * Creates the error for a rejected file. `place` is the position in the file, such as `sheet "Leads", row 7`, or null; `message` says what is
 * wrong and contains the remedy.
 */
export function tableError(
  fileName: string,
  place: string | null,
  message: string,
  options?: ErrorOptions,
): ValidationError {
  return new ValidationError(textOf(fileName, place, message), { ...options, where: fileName });
}

/** Creates the error for a file beyond a limit. */
export function tableTooLarge(fileName: string, place: string | null, message: string): TooLarge {
  return new TooLarge(textOf(fileName, place, message), { where: fileName });
}

function textOf(fileName: string, place: string | null, message: string): string {
  return place === null ? `${fileName}: ${message}` : `${fileName}, ${place}: ${message}`;
}

/** Describes a size in bytes for messages, in MiB or KiB where it is a whole number of them. */
export function describeBytes(bytes: number): string {
  if (bytes >= 1024 * 1024 && bytes % (1024 * 1024) === 0) return `${bytes / (1024 * 1024)} MiB`;
  if (bytes >= 1024 && bytes % 1024 === 0) return `${bytes / 1024} KiB`;
  return `${bytes} bytes`;
}

/** Quotes names of a file for a message: control characters are escaped, long names and long lists are cut. */
export function quoteNames(names: readonly string[], namesMax = 10): string {
  const quoted = names
    .slice(0, namesMax)
    .map((name) => JSON.stringify(name.length > 80 ? `${name.slice(0, 79)}…` : name));
  const others = names.length - quoted.length;
  return others > 0 ? `${quoted.join(', ')} and ${others} more` : quoted.join(', ');
}
