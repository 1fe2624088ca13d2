import { expectsRelation, scopeOf, type QueryScope } from './query-scope.ts';
import { functionNames, keywords } from './sql-words.ts';
import { tokenize } from './sql-tokens.ts';

/** View or function that queries read, as `GET /v1/sql/views` lists it. */
export interface KnownView {
  readonly name: string;
  /** Null for a view. */
  readonly parameters: string | null;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** Text that may stand at the caret. */
export interface Suggestion {
  readonly text: string;
  readonly kind: 'column' | 'relation' | 'keyword' | 'function';
  /** Type of a column, or empty. */
  readonly detail: string;
}

/** Suggestions for a part of the query, the best first. */
export interface Completion {
  /** Range that a suggestion replaces. */
  readonly from: number;
  readonly to: number;
  readonly suggestions: readonly [Suggestion, ...Suggestion[]];
}

const suggestionsMax = 50;
/** Length from which a word is also found after an underscore: `name` finds `company_name`. */
const innerCharsMin = 2;
/** Length from which a word after a relation counts as a keyword. */
const aliasCharsMin = 3;

/**
 * Suggests names and keywords at the caret; null for none: in strings and comments, and where a new name is written.
 *
 * @param isForced the user asked for suggestions. Otherwise a word must have begun, and a word that is complete has none.
 */
export function complete(
  query: string,
  caret: number,
  views: readonly KnownView[],
  isForced = false,
): Completion | null {
  const tokens = tokenize(query);
  const at = tokens.find(
    ({ start, end, isClosed }) => start < caret && (caret < end || (!isClosed && caret === end)),
  );
  if (at?.kind === 'text') return null;
  const word = tokens.find(({ start, end }) => start < caret && caret <= end);
  if (word?.kind === 'number' || word?.kind === 'text') return null;
  const from = word?.kind === 'word' ? word.start : caret;
  const prefix = query.slice(from, caret);
  const code = tokens.filter(({ kind, text }) => kind !== 'text' || !/^(?:--|\/\*)/.test(text));
  const before = code.filter(({ end }) => end <= from);
  const last = before.at(-1);
  const isQualified = last?.text === '.' && last.end === from;
  if (!isForced && prefix === '' && !isQualified) return null;
  if (!isForced && last?.kind === 'word' && last.text.toLowerCase() === 'as') return null;
  // After a relation, a short word is its alias.
  const isAlias = last?.kind === 'word' && expectsRelation(before.slice(0, -1));
  if (!isForced && isAlias && prefix.length < aliasCharsMin) return null;

  // The word at the caret is not complete: it is no name of a relation yet.
  const scope = scopeOf(code.filter((token) => token !== word || token.end !== caret));
  const candidates = isQualified
    ? columnsOf(before.at(-2)?.text ?? '', scope, views)
    : candidatesOf({ scope, views, prefix, isRelation: expectsRelation(before) });
  const found = matching(candidates, prefix);
  if (!isForced && found.some(({ text }) => nameOf(text) === prefix.toLowerCase())) return null;
  const [best, ...others] = found;
  return best === undefined ? null : { from, to: caret, suggestions: [best, ...others] };
}

/** Columns of a relation, by its alias or name. */
function columnsOf(
  alias: string,
  { relations }: Pick<QueryScope, 'relations'>,
  views: readonly KnownView[],
): readonly Suggestion[] {
  const wanted = alias.toLowerCase();
  const name = relations.find((relation) => relation.alias.toLowerCase() === wanted)?.name ?? alias;
  const view = views.find((each) => each.name === name.toLowerCase());
  return (view?.columns ?? []).map(toColumn);
}

function toColumn({ name, type }: KnownView['columns'][number]): Suggestion {
  return { text: name, kind: 'column', detail: type };
}

function candidatesOf({
  scope: { relations, withNames, columnNames },
  views,
  prefix,
  isRelation,
}: {
  readonly scope: QueryScope;
  readonly views: readonly KnownView[];
  readonly prefix: string;
  readonly isRelation: boolean;
}): readonly Suggestion[] {
  const named = (text: string, detail: string) => ({ text, kind: 'relation' as const, detail });
  const inWith = withNames.map((text) => named(text, 'with'));
  const readable = views.map(({ name, parameters }) =>
    parameters === null ? named(name, 'view') : named(`${name}(`, 'function'),
  );
  if (isRelation) return [...inWith, ...readable];
  const read = views.filter(({ name }) => relations.some((relation) => relation.name.toLowerCase() === name));
  // Before the FROM clause is written, any column may be meant.
  const columns = (read.length > 0 ? read : views).flatMap((view) => view.columns.map(toColumn));
  const aliases = relations
    .filter(({ alias, name }) => alias !== name)
    .map(({ alias, name }) => named(alias, name));
  const isUpper = prefix !== '' && prefix === prefix.toUpperCase() && prefix !== prefix.toLowerCase();
  const cased = (text: string) => (isUpper ? text.toUpperCase() : text);
  return [
    ...(read.length > 0 || prefix.length >= innerCharsMin ? columns : []),
    ...columnNames.map((text) => ({ text, kind: 'column' as const, detail: 'as' })),
    ...aliases,
    ...keywords.map((text) => ({ text: cased(text), kind: 'keyword' as const, detail: '' })),
    ...functionNames.map((text) => ({ text: `${cased(text)}(`, kind: 'function' as const, detail: '' })),
    ...(relations.length > 0
      ? readable.filter(({ text }) => relations.some(({ name }) => name === text))
      : []),
  ];
}

/** Candidates that begin with a prefix, then those with a part that does; each text once. */
function matching(candidates: readonly Suggestion[], prefix: string): readonly Suggestion[] {
  const wanted = prefix.toLowerCase();
  const distinct = [
    ...new Map(candidates.toReversed().map((each) => [each.text, each])).values(),
  ].toReversed();
  const first = distinct.filter(({ text }) => text.toLowerCase().startsWith(wanted));
  const inner =
    wanted.length < innerCharsMin
      ? []
      : distinct.filter((each) => !first.includes(each) && each.text.toLowerCase().includes(`_${wanted}`));
  return [...first, ...inner].slice(0, suggestionsMax);
}

function nameOf(text: string): string {
  return text.replace('(', '').toLowerCase();
}
