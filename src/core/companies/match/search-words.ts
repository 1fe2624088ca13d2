import { nameCharsMax } from '../company-name.ts';
import { sortedWords, type CompanyProfile } from './company-profile.ts';
import { profileName, soundKeysOf, type NameProfile } from './name-profile.ts';
import { isGivenName, kindOf, softKinds, type WordKind } from './word-kinds.ts';

/** Version of the words. A change of what `advertiserWords` returns needs the next one: stored words are then made again. */
export const searchWordsVersion = 1;

/** Bounds on the words of a name: those that are written together, from the beginning and from within, and all. */
const runWordsMax = 3;
const prefixWordsMax = 4;
const sortedMax = 4;
const wordsMax = 8;
const initialsMin = 3;
const initialsMax = 5;
/** Letters of the beginning of a glued word, at least: `googleireland`. */
const gluedCharsMin = 4;
/** Letters of its ending, at least, unless it is a plural. */
const endingCharsMin = 3;
/** Letters of a glued word, at most: longer ones are no names. */
const gluedCharsMax = 30;
/** Kinds of words that are no ending of a glued word. */
const otherKinds: ReadonlySet<WordKind> = new Set(['other', 'common', 'person']);
const digits = /\d+$/;
const latinWord = /^[a-z0-9]/;

/**
 * Words under which an advertiser is found: every text that `evaluateAdvertiser` takes for a company's name within the advertiser's. These are
 * its distinguishing words and those next to each other written together (`coca`, `cola`, `cocacola`), the beginnings of the name with all words,
 * the beginnings of glued words, the initials (`.bmw`), the words in alphabetical order
 * (`=eli lilly`), and for other scripts the sounds (`~NK`). None for a name that is longer than that of a
 * company may be.
 */
export function advertiserWords(name: string): readonly string[] {
  const profile = name.length > nameCharsMax ? null : profileName(name);
  if (profile === null) return [];
  const words = new Set<string>();
  for (const texts of [withoutAnd(profile.texts), profile.texts]) {
    addRuns(words, texts.slice(0, wordsMax));
    words.add(texts.join(''));
  }
  for (const text of profile.texts) addGlued(words, text);
  addInitials(words, profile);
  if (profile.words.length > 1 && profile.words.length <= sortedMax)
    words.add(`=${sortedWords(profile.words)}`);
  if (profile.hasSounded) addSounds(words, profile);
  return [...words].filter((word) => word.length > 1);
}

/**
 * Words of which an advertiser has at least one if its name can be the company's. Beside the distinguishing part of a name (`nike` of
 * `Nike Software`) the whole name is left out, if few others have that part.
 */
export function companyWords({ identities, sorted }: CompanyProfile): readonly string[] {
  const words = new Set<string>(sorted === null ? [] : [`=${sorted}`]);
  const core = identities.find(({ kind, left }) => kind === 'core' && !left.some(isGivenName));
  for (const { compact, kind, isLabel, sounds } of identities) {
    if (kind === 'acronym') {
      if (compact.length >= initialsMin || isLabel) words.add(compact);
      continue;
    }
    for (const key of sounds()) words.add(`~${key}`);
    if (kind === 'name' && core?.specificity === 'distinct') continue;
    words.add(compact);
    if (compact.length >= initialsMin && compact.length <= initialsMax) words.add(`.${compact}`);
  }
  return [...words];
}

function withoutAnd(texts: readonly string[]): readonly string[] {
  return texts.includes('and') ? texts.filter((text) => text !== 'and') : texts;
}

/** Words next to each other, written together: from the beginning, or between two distinguishing ones. */
function addRuns(words: Set<string>, texts: readonly string[]): void {
  const isSoft = texts.map((text) => softKinds.has(kindOf(text)));
  for (let start = 0; start < texts.length; start += 1) {
    if (start > 0 && isSoft[start] === true) continue;
    let together = '';
    const end = Math.min(texts.length, start + (start === 0 ? prefixWordsMax : runWordsMax));
    for (let at = start; at < end; at += 1) {
      together += texts[at] ?? '';
      if (start === 0 || isSoft[at] === false) words.add(together);
    }
  }
}

/** `google` of `googleireland` and `googles`. */
function addGlued(words: Set<string>, text: string): void {
  if (text.length <= gluedCharsMin || text.length > gluedCharsMax || softKinds.has(kindOf(text))) return;
  if (text.endsWith('s')) words.add(text.slice(0, -1));
  const number = digits.exec(text);
  if (number !== null && number.index >= gluedCharsMin) words.add(text.slice(0, number.index));
  for (let at = gluedCharsMin; text.length - at >= endingCharsMin; at += 1) {
    if (!otherKinds.has(kindOf(text.slice(at)))) words.add(text.slice(0, at));
  }
}

/** The initials of the first words, in which a legal form counts: `bmw` of `Bayerische Motoren Werke AG`. */
function addInitials(words: Set<string>, { texts, forms }: NameProfile): void {
  const [form = ''] = forms;
  const counted = [...texts, ...form.split(' ')].filter(
    (text) => latinWord.test(text) && kindOf(text) !== 'joining',
  );
  for (let count = initialsMin; count <= Math.min(counted.length, initialsMax); count += 1)
    words.add(
      `.${counted
        .slice(0, count)
        .map((text) => text.charAt(0))
        .join('')}`,
    );
}

function addSounds(words: Set<string>, { words: all }: NameProfile): void {
  const named = all.slice(0, wordsMax);
  for (let start = 0; start < named.length; start += 1) {
    for (let end = start + 1; end <= Math.min(named.length, start + runWordsMax); end += 1) {
      for (const key of soundKeysOf(named.slice(start, end))) words.add(`~${key}`);
    }
  }
}
