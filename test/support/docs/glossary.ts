import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { packageRoot } from '../../../src/package-root.ts';

/** Places in which the glossary rejects a word. */
export const glossaryPlaces = ['names', 'titles', 'text'] as const;
export type GlossaryPlace = (typeof glossaryPlaces)[number];

/** A word that the glossary rejects: a single word, several in camelCase, or a phrase with spaces. */
export interface RefusedWord {
  readonly word: string;
  readonly places: readonly string[];
  /** Words to write instead. */
  readonly instead: string;
}

/** Names, texts and comments of a program. */
export interface ProgramTexts {
  readonly names: ReadonlySet<string>;
  /** First arguments of `test` and `describe`, and their tables of cases. */
  readonly titles: readonly string[];
  /** All other strings, templates and JSX. */
  readonly text: readonly string[];
  /** Comments and doc comments; consecutive line comments are separate ones. */
  readonly comments: readonly string[];
}

/** Reads the table of rejected words in docs/contributing/glossary.md. */
export function readRefusedWords(): readonly RefusedWord[] {
  const glossary = readFileSync(join(packageRoot, 'docs/contributing/glossary.md'), 'utf8');
  const section = glossary.slice(glossary.indexOf('## Words that a test refuses'));
  return [...section.matchAll(/^\| ([^|]+?) +\| ([^|]+?) +\| ([^|]+?) +\|$/gm)]
    .map(([, word = '', where = '', instead = '']) => ({ word, places: where.split(', '), instead }))
    .slice(2);
}

/** Finds the first of the words that a name has, as a word of its own or as neighbours; null if it has none. */
export function nameFinder(words: readonly string[]): (name: string) => string | null {
  const sought = words.map((word) => ({ word, spelt: ` ${spelt(word)} ` }));
  return (name) => {
    const within = ` ${spelt(name)} `;
    const found = sought.find((each) => within.includes(each.spelt))?.word;
    return found ?? (/[a-z]Late$/.test(name) ? 'late' : null);
  };
}

/** Finds words and phrases in a text, case-insensitively; the result is in lower case and in text order. */
export function textFinder(words: readonly string[]): (text: string) => readonly string[] {
  const phrases = words.map((word) => wordsIn(word).join('[\\s-]+'));
  const pattern = new RegExp(`\\b(?:${phrases.join('|')})\\b`, 'gi');
  return (text) => [...text.matchAll(pattern)].map(([found]) => found.toLowerCase());
}

/** Finds what to write instead of a word that a finder has found. */
export function insteadFinder(words: readonly RefusedWord[]): (found: string) => string {
  const instead = new Map(words.map((word) => [spelt(word.word), word.instead]));
  return (found) => instead.get(spelt(found)) ?? 'lazy';
}

/** A name or phrase in lower case, with a blank between its words. */
function spelt(name: string): string {
  return wordsIn(name).join(' ');
}

/** Words of a name or phrase, in lower case. */
function wordsIn(name: string): readonly string[] {
  return name
    .split(/_|-|\s+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .map((word) => word.toLowerCase());
}

/** Parses a program into its names, test titles, other texts and comments. */
export function textsOf(path: string, source: string): ProgramTexts {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const names = new Set<string>();
  const titles: string[] = [];
  const text: string[] = [];
  const comments = new Map<number, string>();
  const visit = (node: ts.Node, isTitle: boolean): void => {
    for (const { pos, end } of commentsAt(source, node)) comments.set(pos, source.slice(pos, end));
    if (ts.isIdentifier(node)) names.add(node.text);
    if (isText(node)) (isTitle ? titles : text).push(node.text);
    const title = ts.isCallExpression(node) && isTestCall(node) ? node.arguments[0] : undefined;
    ts.forEachChild(node, (child) => {
      visit(child, isTitle || child === title);
    });
  };
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.ESNext, false, kind), false);
  return { names, titles, text, comments: [...comments.values()] };
}

/** Comments before and after a node; JSX text has none. */
function commentsAt(source: string, node: ts.Node): readonly ts.CommentRange[] {
  if (ts.isJsxText(node)) return [];
  return [
    ...(ts.getLeadingCommentRanges(source, node.pos) ?? []),
    ...(ts.getTrailingCommentRanges(source, node.pos) ?? []),
    ...(ts.getTrailingCommentRanges(source, node.end) ?? []),
  ];
}

function isText(node: ts.Node): node is ts.LiteralLikeNode {
  return (
    ts.isStringLiteral(node) ||
    ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node) ||
    ts.isJsxText(node)
  );
}

/** True for `test(…)`, `describe(…)` and calls of `test.each(…)`, `test.skipIf(…)`. */
function isTestCall({ expression }: ts.CallExpression): boolean {
  if (ts.isIdentifier(expression)) return expression.text === 'test' || expression.text === 'describe';
  if (ts.isPropertyAccessExpression(expression))
    return ts.isIdentifier(expression.expression) && /^(test|describe)$/.test(expression.expression.text);
  return ts.isCallExpression(expression) && isTestCall(expression);
}
