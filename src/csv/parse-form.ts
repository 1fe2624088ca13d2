import { ValidationError } from '../core/errors.ts';

const delimiterCharsMax = 10;

/**
 * Parses a delimiter: up to 10 characters, `tab`, or a backslash and a `t`.
 *
 * @throws ValidationError for anything else, a quote or a line end.
 */
export function parseDelimiter(text: string): string {
  if (text.toLowerCase() === 'tab' || text === '\\t') return '\t';
  if (text !== '' && text.length <= delimiterCharsMax && !/["\r\n]/.test(text)) return text;
  throw new ValidationError(
    `Invalid delimiter ${JSON.stringify(text)}: must be 1 to ${delimiterCharsMax} characters, or "tab". Common delimiters: , ; tab |`,
    { where: 'delimiter' },
  );
}

/** Parses the character that encloses cells. @throws ValidationError unless it is one character that a text can have around it. */
export function parseQuote(text: string): string {
  return parseCharacter(text, 'quote', '"');
}

/** Parses the character before a quote in the text of a cell. @throws ValidationError unless it is one character. */
export function parseEscape(text: string): string {
  return parseCharacter(text, 'escape', '\\');
}

function parseCharacter(text: string, where: 'quote' | 'escape', example: string): string {
  if (text.length === 1 && !/[\p{L}\p{N}\s]/u.test(text)) return text;
  throw new ValidationError(
    `Invalid ${where} ${JSON.stringify(text)}: must be one character that is no letter, digit or blank, such as ${example}`,
    { where },
  );
}

const skipLinesMax = 1_000;

/** Validates a number of lines above the header. @throws ValidationError unless it is from 0 to 1,000. */
export function parseSkipLines(lines: number): number {
  if (Number.isInteger(lines) && lines >= 0 && lines <= skipLinesMax) return lines;
  throw new ValidationError(`Invalid number of lines to skip: ${lines}. It must be from 0 to 1,000.`, {
    where: 'skip_lines',
  });
}
