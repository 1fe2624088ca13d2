/** Token of a query. `text`: a string, a quoted name or a comment, whose content has no meaning here. */
export interface SqlToken {
  readonly kind: 'word' | 'text' | 'number' | 'sign';
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** False for a string or comment that goes on to the end of the query. */
  readonly isClosed: boolean;
}

/** Comments, strings, quoted names, numbers, words and signs, in the order in which they are tried. */
const patterns = [
  { kind: 'text', at: /--[^\n]*/y, end: /\n$/ },
  { kind: 'text', at: /\/\*[^]*?(?:\*\/|$)/y, end: /\*\/$/ },
  { kind: 'text', at: /'(?:[^']|'')*(?:'|$)/y, end: /^.[^]*'$/ },
  { kind: 'text', at: /"(?:[^"]|"")*(?:"|$)/y, end: /^.[^]*"$/ },
  { kind: 'text', at: /\$(\w*)\$[^]*?(?:\$\1\$|$)/y, end: /^(\$\w*\$)[^]*\1$/ },
  { kind: 'number', at: /\d[\w.]*/y, end: null },
  { kind: 'word', at: /[\p{L}_][\p{L}\p{N}_$]*/uy, end: null },
  { kind: 'sign', at: /\S/y, end: null },
] as const;

/** Splits a query into its tokens; white space separates them. Never fails: an unknown character is a sign. */
export function tokenize(query: string): readonly SqlToken[] {
  const tokens: SqlToken[] = [];
  let start = 0;
  while (start < query.length) {
    const token = tokenAt(query, start);
    if (token !== null) tokens.push(token);
    start = token?.end ?? start + 1;
  }
  return tokens;
}

function tokenAt(query: string, start: number): SqlToken | null {
  for (const { kind, at, end } of patterns) {
    at.lastIndex = start;
    const text = at.exec(query)?.[0];
    if (text === undefined) continue;
    const isClosed = end === null || end.test(text);
    return { kind, text, start, end: start + text.length, isClosed };
  }
  return null;
}
