/** Name of a file of pasted rows. */
export const pastedName = 'Pasted rows';

/**
 * Creates a file of rows that were copied from a spreadsheet or entered as text.
 *
 * Cells are separated by tabs. A quoted cell can contain tabs, line ends and doubled quotation marks, as Excel, LibreOffice and Google Sheets
 * write it; a quotation mark anywhere else is text. Lines with one delimiter each are a CSV text and kept as they are. In a single column
 * without a header, each line is an e-mail address, a website or a name.
 */
export function createPastedRows(text: string): File {
  return new File([csvOf(text)], pastedName, { type: 'text/csv' });
}

function csvOf(text: string): string {
  if (!text.includes('\t') && isDelimited(text)) return text;
  const rows = parseCells(text);
  const isColumn = rows.every((cells) => cells.length === 1);
  return (isColumn ? columnRows(rows.map(([cell = '']) => cell.trim())) : rows).map(csvLine).join('');
}

/** Returns true for a text whose lines all have as many delimiters. A comma before a space is punctuation: `Nike, Inc.` */
function isDelimited(text: string): boolean {
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  return [/;/g, /\|/g, /,(?! )/g].some((delimiter) => {
    const counts = new Set(lines.map((line) => line.replace(/"[^"]*"/g, '').match(delimiter)?.length ?? 0));
    return counts.size === 1 && !counts.has(0);
  });
}

/** A cell in quotes, up to its end: a tab, a line end or the end of the text. */
const quotedCell = /"((?:[^"]|"")*)"(?=[\t\r\n]|$)/y;
const plainCell = /[^\t\r\n]*/y;
const lineEnd = /\r\n|\n|\r/y;

/** Splits a copied table into its cells, without blank rows at the end. */
function parseCells(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; ;) {
    const quoted = matchAt(quotedCell, text, at);
    const [taken = '', content] = quoted ?? matchAt(plainCell, text, at) ?? [];
    row.push(content === undefined ? taken : content.replaceAll('""', '"'));
    at += taken.length;
    if (text[at] === '\t') {
      at += 1;
      continue;
    }
    rows.push(row);
    row = [];
    const [end] = matchAt(lineEnd, text, at) ?? [];
    if (end === undefined) break;
    at += end.length;
  }
  while (rows.at(-1)?.every((cell) => cell.trim() === '') === true) rows.pop();
  return rows;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/**
 * Names of a single column in common languages. The server knows more, but cannot tell an unknown name from the first company of a column
 * without a name.
 */
const columnNames =
  /^(?:(?:company|business|account|organi[sz]ation|firm|firmen|unternehmens?|kunden|domain|e-?mail)[ _-]?(?:names?|websites?|domains?|url|address(?:es)?|adressen?)?|compan(?:y|ies)|names?|clients?|customers?|accounts?|websites?|web ?sites?|web|urls?|domains?|homepages?|e-?mails?|firma|firmen|unternehmen|kunden?|webseiten?|entreprises?|soci[eé]t[eé]s?|empresas?|aziend[ae]|societ[aà]|nom|nombre|nome|naam|nazwa|bedrij(?:f|ven)|sites?)$/i;

/** Gives a column without a known header the names of its fields. Websites, names and addresses may be mixed. */
function columnRows(lines: readonly string[]): readonly (readonly string[])[] {
  const [first = ''] = lines;
  const filled = lines.filter((line) => line !== '');
  if (columnNames.test(first)) return filled.map((line) => [line]);
  const fields = [...new Set(filled.map(fieldOf))];
  return [fields, ...filled.map((line) => fields.map((field) => (field === fieldOf(line) ? line : '')))];
}

function fieldOf(line: string): 'email' | 'company_domain' | 'company_name' {
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(line)) return 'email';
  return /^\S+\.\S+$/.test(line) ? 'company_domain' : 'company_name';
}

/** Writes a line of a CSV file, all of its cells in quotes. */
function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`;
}
