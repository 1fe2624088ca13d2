import { ValidationError } from '../../src/core/errors.ts';

/** Names in a statement, in any position. Comments and constants do not count. */
export interface StatementWords {
  /** Keywords and names, each once, in the order of the statement; unquoted ones in lower case, as Postgres reads them. */
  readonly words: readonly string[];
  /** Names before a dot: schemas, tables, aliases. */
  readonly qualifiers: readonly string[];
}

/**
 * Splits a statement into its names by the lexical rules of Postgres (PostgreSQL documentation, 4.1; source: scan.l), with
 * `standard_conforming_strings` on. It knows no grammar: a name counts in every position.
 *
 * @throws ValidationError for a name in Unicode escapes, and for an unterminated comment, constant or name.
 */
export function readStatementWords(text: string): StatementWords {
  const words = new Set<string>();
  const qualifiers = new Set<string>();
  let last: string | null = null;
  for (let at = 0; at < text.length;) {
    const { end, word, isBlank } = readToken(text, at);
    if (word !== null) words.add(word);
    if (text[at] === '.' && last !== null) qualifiers.add(last);
    if (!isBlank) last = word;
    at = end;
  }
  return { words: [...words], qualifiers: [...qualifiers] };
}

interface Token {
  readonly end: number;
  /** Null for everything that is not a name. */
  readonly word: string | null;
  /** White space or a comment. */
  readonly isBlank: boolean;
}

const patterns = {
  blank: /[ \t\n\r\f\v]+|--[^\n\r]*/y,
  escapeMark: /[eE](?=')/y,
  escapeString: /'(?:[^'\\]|\\[^]|'')*'/y,
  string: /(?:[bBxXnN]|[uU]&)?'(?:[^']|'')*'/y,
  openString: /(?:[eEbBxXnN]|[uU]&)?'/y,
  dollarTag: /\$(?:[A-Za-z_\u0080-\uffff][A-Za-z_0-9\u0080-\uffff]*)?\$/y,
  escapedName: /[uU]&"/y,
  quotedName: /"(?:[^"]|"")*"/y,
  name: /[A-Za-z_\u0080-\uffff][A-Za-z_0-9$\u0080-\uffff]*/y,
};

function readToken(text: string, at: number): Token {
  const match = (pattern: RegExp) => matchAt(pattern, text, at);
  const blank = match(patterns.blank);
  if (blank !== null) return { end: at + blank.length, word: null, isBlank: true };
  if (text.startsWith('/*', at)) return { end: endOfComment(text, at), word: null, isBlank: true };
  if (match(patterns.escapeMark) !== null) return constantTo(endOfEscapeString(text, at + 1));
  const string = match(patterns.string);
  if (string !== null) return constantTo(at + string.length);
  if (match(patterns.openString) !== null) throw unended('constant');
  const tag = match(patterns.dollarTag);
  if (tag !== null) return constantTo(endOfDollarString(text, at, tag));
  return readName(text, at) ?? constantTo(at + 1);
}

function readName(text: string, at: number): Token | null {
  if (matchAt(patterns.escapedName, text, at) !== null)
    throw new ValidationError('Names in Unicode escapes, U&"…", are not supported. Write the name itself.');
  const quoted = matchAt(patterns.quotedName, text, at);
  if (quoted !== null)
    return { end: at + quoted.length, word: quoted.slice(1, -1).replaceAll('""', '"'), isBlank: false };
  if (text[at] === '"') throw unended('name');
  const name = matchAt(patterns.name, text, at);
  if (name === null) return null;
  return { end: at + name.length, word: name.toLowerCase(), isBlank: false };
}

function constantTo(end: number): Token {
  return { end, word: null, isBlank: false };
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

/** In a constant of the form E'…' a backslash escapes a quote, and a constant that follows on a later line belongs to it. */
function endOfEscapeString(text: string, start: number): number {
  let end = start;
  for (let next = start; text[next] === "'";) {
    const part = matchAt(patterns.escapeString, text, next);
    if (part === null) throw unended('constant');
    end = next + part.length;
    next = skipBlanks(text, end);
  }
  return end;
}

function skipBlanks(text: string, start: number): number {
  let at = start;
  for (
    let blank = matchAt(patterns.blank, text, at);
    blank !== null;
    blank = matchAt(patterns.blank, text, at)
  )
    at += blank.length;
  return at;
}

/** These comments nest. */
function endOfComment(text: string, start: number): number {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start;
  let depth = 0;
  for (;;) {
    const mark = marks.exec(text);
    if (mark === null) throw unended('comment');
    depth += mark[0] === '/*' ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
}

function endOfDollarString(text: string, start: number, tag: string): number {
  const end = text.indexOf(tag, start + tag.length);
  if (end === -1) throw unended('constant');
  return end + tag.length;
}

function unended(what: 'comment' | 'constant' | 'name'): ValidationError {
  return new ValidationError(`The query has a ${what} without its end. Close it.`);
}
