import { foldText } from '../../companies/fold-text.ts';
import codes from './phrases/codes.json' with { type: 'json' };
import english from './phrases/english.json' with { type: 'json' };
import others from './phrases/other-languages.json' with { type: 'json' };

/**
 * Class of a phrase in a reply; `phrases/english.json` says what each one means.
 *
 * English phrases are patterns over folded words (`foldText`): lower case, one space between words, no punctuation, `doesn't` as
 * `doesnt`, `redacted` in place of the recipient. Classes match whole words, fragments match anywhere; `{name}` stands for a term.
 * `phrases/other-languages.json` has words as people write them, with `…` for any ending, and templates that combine them.
 */
export type PhraseClass =
  keyof typeof english.classes | keyof typeof english.fragments | 'about_host' | 'later' | 'sender';

/** Class of an enhanced code without its first digit, such as `1.1`; `phrases/codes.json` says what each one means. */
export type EnhancedClass = keyof typeof codes.enhanced;

/** Class of a code of three digits; `phrases/codes.json` says what each one means. */
export type BasicClass = keyof typeof codes.basic;

interface Table<Value> {
  readonly [name: string]: Value | undefined;
}
type Entries = readonly { readonly pattern: string }[];

/** Words and phrases of a language, as patterns. */
interface Vocabulary {
  readonly terms: Table<string>;
  readonly phrases: Table<string>;
  readonly templates: Table<readonly string[]>;
}

const classes: Table<{ readonly phrases: Entries }> = english.classes;
const fragments: Table<{ readonly phrases: Entries }> = english.fragments;

/** Scripts that set no spaces between words: their phrases match anywhere. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u;

const compiled = new Map<string, RegExp>();
let vocabularies: readonly Vocabulary[] | null = null;

/** Pattern for all phrases of a class, in all languages. */
export function phrasePattern(name: PhraseClass): RegExp {
  return compileOnce(`phrase ${name}`, () => {
    vocabularies ??= readVocabularies();
    const elsewhere = [...new Set(vocabularies.flatMap((vocabulary) => patternsIn(vocabulary, name)))];
    const whole = [
      ...(classes[name]?.phrases ?? []).flatMap(({ pattern }) => fill(pattern, english.terms)),
      ...elsewhere.filter((pattern) => !unspaced.test(pattern)),
    ];
    return [
      ...(whole.length === 0 ? [] : [`(?<![^ ])(?:${whole.join('|')})(?![^ ])`]),
      ...(fragments[name]?.phrases ?? []).map(({ pattern }) => pattern),
      ...elsewhere.filter((pattern) => unspaced.test(pattern)),
    ];
  });
}

/** Pattern for the enhanced codes of a class. */
export function enhancedPattern(name: EnhancedClass): RegExp {
  return compileOnce(`enhanced ${name}`, () =>
    codes.enhanced[name].codes.map(({ pattern }) => `^(?:${pattern})$`),
  );
}

/** Pattern for the basic codes of a class. */
export function basicPattern(name: BasicClass): RegExp {
  return compileOnce(`basic ${name}`, () => codes.basic[name].codes.map(({ pattern }) => `^(?:${pattern})$`));
}

function compileOnce(key: string, alternatives: () => readonly string[]): RegExp {
  const pattern = compiled.get(key) ?? new RegExp(alternatives().join('|'));
  compiled.set(key, pattern);
  return pattern;
}

function readVocabularies(): readonly Vocabulary[] {
  const shared = toPatterns(others.shared);
  return others.languages.map(({ terms, phrases }) => ({
    terms: { ...shared, ...toPatterns(terms) },
    phrases: toPatterns(phrases),
    templates: others.templates[unspaced.test(terms.noun[0] ?? '') ? 'unspaced' : 'spaced'],
  }));
}

function patternsIn({ terms, phrases, templates }: Vocabulary, name: PhraseClass): readonly string[] {
  const given = phrases[name];
  const made = (templates[name] ?? []).flatMap((template) => fill(template, terms));
  return given === undefined ? made : [given, ...made];
}

/** Puts terms in place of `{name}`; nothing where a term is missing. */
function fill(pattern: string, terms: Table<string>): readonly string[] {
  const filled = pattern.replace(/\{([a-z_]+)\}/g, (place, name: string) => terms[name] ?? place);
  return /\{[a-z_]+\}/.test(filled) ? [] : [filled];
}

/** Patterns for lists of phrases as people write them. */
function toPatterns(lists: Table<readonly string[]>): Table<string> {
  return Object.fromEntries(
    Object.entries(lists).map(([name, phrases = []]) => {
      const patterns = phrases.map((phrase) => foldText(phrase) + (phrase.endsWith('…') ? '[^ ]*' : ''));
      return [name, `(?:${patterns.join('|')})`];
    }),
  );
}
