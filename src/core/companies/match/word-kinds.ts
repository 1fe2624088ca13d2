import { corporateWords, genericWords, industryWords, tradeWords } from './words/business-words.ts';
import { cityWords } from './words/cities.ts';
import { commonWords, joiningWords } from './words/common-words.ts';
import { everydayWords } from './words/everyday-words.ts';
import { agencyWords, dealerWords, kinshipWords, professionWords } from './words/other-business-words.ts';
import { givenNames, surnames } from './words/people-names.ts';
import { countryWords, regionWords, globalWords } from './words/places.ts';
import { foldText } from '../fold-text.ts';
import { legalForms } from '../legal-forms.ts';
import { createMemo } from '../../memo.ts';

/**
 * Kinds of words in a company name, by what they say about a company that adds them to another's name. `form`: a legal form inside
 * the name; `other`: on no list.
 */
export type WordKind =
  | 'joining'
  | 'form'
  | 'place'
  | 'region'
  | 'corporate'
  | 'generic'
  | 'trade'
  | 'industry'
  | 'agency'
  | 'dealer'
  | 'kinship'
  | 'profession'
  | 'city'
  | 'person'
  | 'common'
  | 'other';

/** Kinds of words that distinguish no company. */
export const softKinds: ReadonlySet<WordKind> = new Set([
  'joining',
  'form',
  'place',
  'region',
  'corporate',
  'generic',
  'trade',
  'industry',
]);

/** Spelling in which words are compared: `ae`, `oe` and `ue` as one letter, as German umlauts are written both ways. */
export function canonicalWord(word: string): string {
  return word.includes('e') ? word.replace(/([aou])e/g, '$1') : word;
}

const kinds = new Map<string, WordKind>();
/** Kinds of words on no list, as far as they were needed. */
const derivedKinds = createMemo<string, WordKind>(100_000);
const countries = new Map<string, string>();
const commons = new Set<string>();
const people = new Set<string>();

/** Kind of a canonical word. A word on several lists has the kind of the first of them. */
export function kindOf(word: string): WordKind {
  return kinds.get(word) ?? derivedKinds.get(word, deriveKind);
}

function deriveKind(word: string): WordKind {
  if (word.length === 1) return 'joining';
  if (word.length < stemCharsMin + 2) return 'other';
  return isDerived(word) ? 'place' : kindOfCompound(word);
}

/** Kind of a compound by its last part, or by its first: `finanzdienste`, `handyreparatur`. */
function kindOfCompound(word: string): WordKind {
  for (let start = 2; word.length - start >= lastCharsMin; start += 1) {
    const kind = kinds.get(word.slice(start));
    if (kind !== undefined && compoundKinds.has(kind)) return kind;
  }
  for (let end = word.length - 3; end >= stemCharsMin; end -= 1) {
    const kind = kinds.get(word.slice(0, end));
    if (kind !== undefined && compoundKinds.has(kind)) return kind;
  }
  return 'other';
}

/** True for a word that begins with a country's name: `osterreichischen`. */
function isDerived(word: string): boolean {
  for (let length = word.length - 1; length >= stemCharsMin; length -= 1)
    if (countries.has(word.slice(0, length))) return true;
  return false;
}

/** ISO 3166-1 code of the country that a canonical word names; null for every other word. */
export function countryOf(word: string): string | null {
  return countries.get(word) ?? null;
}

/** True for a canonical word that many companies have as their name or in it. */
export function isCommonWord(word: string): boolean {
  return commons.has(word);
}

/** True for a canonical word that is a frequent given name or surname, whatever else it is. */
export function isPersonName(word: string): boolean {
  return people.has(word);
}

/** True for a frequent given name. */
export function isGivenName(word: string): boolean {
  return given.has(word);
}

/** Countries of a folded legal form, if few have it; null for forms of many countries and for unknown ones. */
export function formCountriesOf(form: string): ReadonlySet<string> | null {
  return formCountries.get(form) ?? null;
}

/** Letters of a country's name from which longer words are derived from it. */
const stemCharsMin = 6;
/** Letters of the last part of a compound, at least. */
const lastCharsMin = 5;
const compoundKinds: ReadonlySet<WordKind> = new Set([
  'corporate',
  'trade',
  'industry',
  'agency',
  'dealer',
  'profession',
]);
const given = new Set(wordsIn(givenNames));
const formCountriesMax = 4;
const formCountries = new Map<string, ReadonlySet<string>>();

for (const [kind, lists] of [
  ['joining', joiningWords],
  ['region', regionWords],
  ['generic', [...globalWords, ...genericWords]],
  ['corporate', corporateWords],
  ['agency', agencyWords],
  ['dealer', dealerWords],
  ['kinship', kinshipWords],
  ['industry', industryWords],
  ['trade', tradeWords],
  ['profession', professionWords],
  ['city', cityWords],
] as const) {
  addAll(kind, wordsIn(lists));
}
for (const row of countryWords) {
  const [code = '', ...names] = row.split(' ');
  for (const name of [code.toLowerCase(), ...names].map(canonicalWord)) {
    if (!countries.has(name)) countries.set(name, code);
    if (kinds.get(name) === 'joining' || name.length < 3) continue;
    kinds.set(name, 'place');
  }
}
for (const code of [
  'uk',
  'us',
  'gb',
  'eu',
  'nz',
  'hk',
  'cz',
  'cr',
  'sk',
  'pl',
  'hu',
  'ro',
  'bg',
  'ru',
  'ua',
  'uae',
])
  if (!kinds.has(code)) kinds.set(code, 'place');
addForms();
addAll('form', ['end', 'ko', 'scs', 'ky', 'kd', 'sc', 'oy', 'publ', 'ifn', 'as', 'sa', 'ag']);
for (const word of kinds.keys()) commons.add(word);
for (const word of wordsIn([...commonWords, ...everydayWords])) {
  commons.add(word);
  if (!kinds.has(word)) kinds.set(word, 'common');
}
for (const word of [...wordsIn(givenNames), ...wordsIn(surnames)]) {
  people.add(word);
  const kind = kinds.get(word);
  if (kind === undefined || kind === 'common') kinds.set(word, 'person');
}

function addAll(kind: WordKind, words: readonly string[]): void {
  for (const word of words) if (!kinds.has(word)) kinds.set(word, kind);
}

function wordsIn(lists: readonly string[]): readonly string[] {
  return lists.flatMap((list) => list.split(' ')).map(canonicalWord);
}

function addForms(): void {
  for (const form of legalForms) {
    const listed = form.countries.filter((code) => /^[A-Z]{2}$/.test(code) && code !== 'EU');
    for (const spelling of form.spellings.map(foldText)) {
      if (listed.length > 0 && listed.length <= formCountriesMax)
        formCountries.set(spelling, new Set(listed));
      for (const word of spelling.split(' ')) if (word.length > 1) addAll('form', [canonicalWord(word)]);
    }
  }
}
