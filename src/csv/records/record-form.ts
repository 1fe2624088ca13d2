/** Characters that separate and enclose the cells of a CSV file. */
export interface RecordForm {
  /** One character or several. */
  readonly delimiter: string;
  /** One character. */
  readonly quote: string;
  /** Character before a quote that belongs to the text of a quoted cell: the quote itself, or another one. */
  readonly escape: string;
}

/** Quotes of RFC 4180, which almost all files have. */
export const standardQuotes = { quote: '"', escape: '"' } as const;

/** Returns the text between the quotes of a cell: a quote or an escape character after an escape character stands for itself. */
export function unescapeCell(text: string, { quote, escape }: RecordForm): string {
  if (!text.includes(escape)) return text;
  if (escape === quote) return text.replaceAll(quote + quote, quote);
  let plain = '';
  let from = 0;
  for (let at = text.indexOf(escape); at !== -1; at = text.indexOf(escape, at)) {
    const next = text[at + 1];
    if (next === quote || next === escape) {
      plain += text.slice(from, at);
      from = at + 1;
    }
    at += 2;
  }
  return plain + text.slice(from);
}
