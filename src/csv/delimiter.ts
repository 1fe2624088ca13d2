import Papa from 'papaparse';
import { ValidationError } from '../core/errors.ts';

/** Delimiters that are detected, in order of preference. */
const candidates: readonly string[] = [',', ';', '\t', '|'];

/**
 * Detects the delimiter of a sample of CSV text: among those of its first line, the one that Papa Parse finds most regular.
 *
 * Quoted delimiters do not count. A file with one column has none in its first line: the result is then the first candidate that the sample
 * never uses, so that a comma in a name (`Acme, Inc`) does not split the name.
 */
export function guessDelimiter(sample: string): string {
  const text = sample.replace(/\r\n?/g, '\n').replace(/^\n+/, '');
  const bare = withoutQuoted(text);
  const firstLine = bare.slice(0, endOfLine(bare));
  const inFirstLine = candidates.filter((candidate) => firstLine.includes(candidate));
  if (inFirstLine.length === 0) {
    return candidates.find((candidate) => !bare.includes(candidate)) ?? ',';
  }
  if (inFirstLine.length === 1) return inFirstLine[0] ?? ',';
  const { meta } = Papa.parse(text, {
    delimitersToGuess: inFirstLine,
    newline: '\n',
    preview: 1,
    skipEmptyLines: true,
  });
  return meta.delimiter;
}

/**
 * Parses a delimiter: one character, `tab`, or a backslash and a `t`.
 *
 * @throws ValidationError for anything else, a quote or a line end.
 */
export function parseDelimiter(text: string): string {
  if (text.toLowerCase() === 'tab' || text === '\\t') return '\t';
  if ([...text].length === 1 && !/["\r\n]/.test(text)) return text;
  throw new ValidationError(
    `Invalid delimiter ${JSON.stringify(text)}: must be one character, or "tab". Common delimiters: , ; tab |`,
    { where: 'delimiter' },
  );
}

/** Removes quoted text and its line ends, so that the first line of the rest is the first record. */
function withoutQuoted(text: string): string {
  return text.replace(/"[^"]*"/g, '');
}

function endOfLine(text: string): number {
  const end = text.indexOf('\n');
  return end === -1 ? text.length : end;
}
