import type { SqlToken } from './sql-tokens.ts';

/** View, function or query that a query reads from. */
export interface Relation {
  /** Name of the view or function. */
  readonly name: string;
  /** Name by which the query calls it: its alias, or its own name. */
  readonly alias: string;
}

/** Names that a query gives: its relations, its WITH queries, and its columns. */
export interface QueryScope {
  readonly relations: readonly Relation[];
  readonly withNames: readonly string[];
  /** Names after AS that are not those of relations. */
  readonly columnNames: readonly string[];
}

/** Words after a relation that are no alias. */
const noAliases: ReadonlySet<string> = new Set(
  'where group order having limit offset join left right full inner cross on using union'.split(' '),
);

/** Words that begin a list. */
const clauses: ReadonlySet<string> = new Set('select from join where by on having'.split(' '));

/** Finds the relations that a query reads from, in any of its FROM clauses. */
export function scopeOf(tokens: readonly SqlToken[]): QueryScope {
  const relations: Relation[] = [];
  const withNames: string[] = [];
  const columnNames: string[] = [];
  for (const [i, token] of tokens.entries()) {
    if (token.kind !== 'word') continue;
    const word = token.text.toLowerCase();
    if (word === 'from' || word === 'join') readRelations(tokens, i + 1, relations);
    if (isWord(tokens[i + 1], 'as') && opensQuery(tokens, i + 2)) withNames.push(token.text);
    if (isWord(tokens[i - 1], 'as')) columnNames.push(token.text);
  }
  const isAlias = (name: string) => relations.some(({ alias }) => alias === name);
  return { relations, withNames, columnNames: columnNames.filter((name) => !isAlias(name)) };
}

/** True when the token before a place continues a list of relations, so that a relation follows. */
export function expectsRelation(tokens: readonly SqlToken[]): boolean {
  const last = tokens.at(-1);
  if (last === undefined) return false;
  if (isWord(last, 'from') || isWord(last, 'join')) return true;
  const clause = tokens.findLast(({ text }) => clauses.has(text.toLowerCase()))?.text.toLowerCase();
  return last.text === ',' && (clause === 'from' || clause === 'join');
}

function isWord(token: SqlToken | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text.toLowerCase() === word;
}

function opensQuery(tokens: readonly SqlToken[], from: number): boolean {
  let i = from;
  while (isWord(tokens[i], 'not') || isWord(tokens[i], 'materialized')) i += 1;
  return tokens[i]?.text === '(';
}

/** Reads the relations of a FROM clause up to the first that is not followed by a comma. */
function readRelations(tokens: readonly SqlToken[], from: number, relations: Relation[]): void {
  let i = from;
  for (;;) {
    while (isWord(tokens[i], 'lateral') || isWord(tokens[i], 'only')) i += 1;
    let name = tokens[i]?.kind === 'word' ? (tokens[i]?.text ?? '') : '';
    if (name !== '') i += 1;
    if (name !== '' && tokens[i]?.text === '.' && tokens[i + 1]?.kind === 'word') {
      name = tokens[i + 1]?.text ?? '';
      i += 2;
    }
    if (tokens[i]?.text === '(') i = afterBracket(tokens, i);
    else if (name === '') return;
    if (isWord(tokens[i], 'as')) i += 1;
    const next = tokens[i];
    const hasAlias = next?.kind === 'word' && !noAliases.has(next.text.toLowerCase());
    const alias = hasAlias ? next.text : name;
    if (alias !== '') relations.push({ name, alias });
    if (hasAlias) i += 1;
    if (tokens[i]?.text !== ',') return;
    i += 1;
  }
}

/** Index after the bracket that closes the one at `open`. */
function afterBracket(tokens: readonly SqlToken[], open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i += 1) {
    if (tokens[i]?.text === '(') depth += 1;
    if (tokens[i]?.text === ')') depth -= 1;
    if (depth === 0) return i + 1;
  }
  return tokens.length;
}
