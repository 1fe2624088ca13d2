import { stripVTControlCharacters } from 'node:util';
import { columnsOfText } from './status-line.ts';
import { withoutEmphasis } from './terminal-text.ts';

/**
 * Wraps the lines of a text at spaces to at most `columns` columns. A continuation line has the indentation of the first line,
 * plus two if that is indented; after a label and two spaces it aligns with the value. A longer word, such as a link, is not
 * broken.
 */
export function wrapText(text: string, columns: number): string {
  return text
    .split('\n')
    .flatMap((line) => wrapLine(line, columns))
    .join('\n');
}

function wrapLine(line: string, columns: number): readonly string[] {
  if (columnsShown(line) <= columns) return [line];
  const indent = /^\s*/.exec(line)?.[0] ?? '';
  const label = /^\s*\S+(?: \S+)? {2,}(?=\S)/.exec(line)?.[0];
  const following = label === undefined ? hangingIndent(indent) : ' '.repeat(label.length);
  const lines: string[] = [];
  let current = indent;
  let used = columnsOfText(indent);
  let isEmpty = true;
  // Spaces stay with the word after them, so that columns of a table keep their distance if they fit.
  for (const [, blanks = '', word = ''] of line.slice(indent.length).matchAll(/(\s*)(\S+)/g)) {
    const width = columnsShown(word);
    if (!isEmpty && used + blanks.length + width > columns) {
      lines.push(current);
      current = `${following}${word}`;
      used = columnsOfText(following) + width;
    } else {
      current += `${isEmpty ? '' : blanks}${word}`;
      used += (isEmpty ? 0 : blanks.length) + width;
    }
    isEmpty = false;
  }
  return [...lines, current];
}

function hangingIndent(indent: string): string {
  return indent === '' ? '' : `${indent}  `;
}

/** Returns the columns of a text; emphasis takes none. */
function columnsShown(text: string): number {
  return columnsOfText(stripVTControlCharacters(withoutEmphasis(text)));
}
