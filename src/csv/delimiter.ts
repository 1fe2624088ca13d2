import Papa from 'papaparse';
import { ValidationError } from '../core/errors.ts';

/** The delimiters that are found without being named; where all fit equally, the first. */
const candidates: readonly string[] = [',', ';', '\t', '|'];

/**
 * The delimiter of a sample of CSV text: among those of its first line, the one Papa Parse finds most regular.
 *
 * Quoted separators do not count. A file with one column has none in its first line: then it is the first candidate that
 * the sample never uses, so that a comma within a name (`Acme, Inc`) does not tear the name apart.
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
 * A delimiter as a user writes it: one character, `tab`, or a backslash and a `t`.
 *
 * @throws ValidationError when it is anything else, a quote or a line end.
 */
export function parseDelimiter(text: string): string {
  if (text.toLowerCase() === 'tab' || text === '\\t') return '\t';
  if ([...text].length === 1 && !/["\r\n]/.test(text)) return text;
  throw new ValidationError(
    `The delimiter must be one character, or "tab"; it is ${JSON.stringify(text)}. Usual ones: , ; tab |`,
    { where: 'delimiter' },
  );
}

/** Line ends within quotes go as well, so that the first line of the rest is the first record. */
function withoutQuoted(text: string): string {
  return text.replace(/"[^"]*"/g, '');
}

function endOfLine(text: string): number {
  const end = text.indexOf('\n');
  return end === -1 ? text.length : end;
}
