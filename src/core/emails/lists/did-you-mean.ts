import type { EmailAddress } from '../syntax/address.ts';
import { createSieve } from './sieve.ts';

/** The domain of an address as typed. */
export type TypedDomain = Pick<EmailAddress, 'asciiDomain' | 'registrableDomain'>;

/**
 * Suggests the domain that a misspelt one means, in ASCII; null without a good guess.
 *
 * @param domainTakesMail true when the domain has a mail route; null: not checked. An existing suffix (`.co`) is a typo only when it is
 *   false, one that does not exist (`.con`) unless it is true
 */
export type DidYouMean = (typed: TypedDomain, domainTakesMail: boolean | null) => string | null;

/** Shorter names are too close to those of others: `aol.com` and `aok.com`, `gmx.de` and `gmc.de`. Our choice. */
const nameCharsMin = 5;

/** Suffixes of any company. */
const commonEndings = ['com', 'net', 'org'];

/** Country suffixes that are typos of `com` or `net`. */
const countryTypos: ReadonlyMap<string, string> = new Map([
  ['cm', 'com'],
  ['co', 'com'],
  ['ne', 'net'],
  ['om', 'com'],
]);

/**
 * Makes the suggestion of domains. It computes all typos once, so that a call takes a few look-ups (the idea of SymSpell).
 *
 * It finds one typo in the name of a provider (see `typosOf`; not in the first letter only, which users get right), one in its suffix, and a
 * swapped dot. For other domains it corrects a suffix that does not exist and is a typo of `com`, `net` or `org`. Two candidates of which
 * none ends in `com` are no suggestion.
 *
 * @param providers domains in ASCII, in lower case
 * @param isKnown true for a known domain: neither it nor a provider is a typo
 */
export function createDidYouMean(
  providers: readonly string[],
  isKnown: (asciiDomain: string) => boolean,
): DidYouMean {
  const right = new Set(providers);
  const endings = endingsByName(providers);
  const names = namesByTypo([...endings.keys()]);
  const repaired = endingsByTypo([...commonEndings, ...[...endings.values()].flat()]);
  const movedDots = domainsByMovedDot(providers);
  const firstLabels = createSieve([...names.keys(), ...[...movedDots.keys()].map(firstLabelOf)]);

  return (typed, domainTakesMail) => {
    const dot = typed.asciiDomain.indexOf('.');
    if (dot === -1) return null;
    // Most domains return here: their suffix exists, and their name is no known typo.
    if (typed.registrableDomain !== null && !firstLabels.mayHave(typed.asciiDomain, dot)) return null;
    return suggest(typed, dot, domainTakesMail);
  };

  function suggest(
    { asciiDomain, registrableDomain }: TypedDomain,
    dot: number,
    domainTakesMail: boolean | null,
  ): string | null {
    const hasRealEnding = registrableDomain !== null;
    if (right.has(asciiDomain) || isKnown(asciiDomain) || (!hasRealEnding && domainTakesMail === true))
      return null;
    const moved = movedDots.get(asciiDomain);
    if (moved !== undefined) return moved;
    const name = asciiDomain.slice(0, dot);
    const ending = asciiDomain.slice(dot + 1);
    const meantEndings = endingsMeant(ending, hasRealEnding, domainTakesMail);
    const guess = bestGuess(names.get(name) ?? [], [ending, ...meantEndings]);
    if (guess !== null || hasRealEnding || mayBeCountry(ending)) return guess;
    return repairedEnding(name, meantEndings);
  }

  function endingsMeant(
    ending: string,
    hasRealEnding: boolean,
    domainTakesMail: boolean | null,
  ): readonly string[] {
    if (!hasRealEnding) return repaired.get(ending) ?? [];
    const meant = domainTakesMail === false ? countryTypos.get(ending) : undefined;
    return meant === undefined ? [] : [meant];
  }

  function bestGuess(meantNames: readonly string[], meantEndings: readonly string[]): string | null {
    const guesses = meantNames.flatMap((name) =>
      (endings.get(name) ?? []).filter((end) => meantEndings.includes(end)).map((end) => `${name}.${end}`),
    );
    return guesses.length > 1
      ? (guesses.find((guess) => guess.endsWith('.com')) ?? null)
      : (guesses[0] ?? null);
  }
}

/** True for two letters: a country or a typo of one. `com.om` has no owner although its suffix exists. */
function mayBeCountry(ending: string): boolean {
  return ending.length === 2;
}

function repairedEnding(name: string, meantEndings: readonly string[]): string | null {
  const ending = commonEndings.find((common) => meantEndings.includes(common));
  return ending === undefined ? null : `${name}.${ending}`;
}

/** `yahoo` → `com`, `co.uk`, … */
function endingsByName(providers: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return groupBy(providers.map((domain) => cutAt(domain, domain.indexOf('.'))));
}

/** Name as typed → names that it may mean; a correct name means itself. */
function namesByTypo(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const right = new Set(names);
  const typos = names
    .filter((name) => name.length >= nameCharsMin)
    .flatMap((name) => [...typosOf(name)].map((typo) => [typo, name] as const))
    .filter(([typo, name]) => !right.has(typo) && !isFirstLetterOnly(typo, name));
  return groupBy([...names.map((name) => [name, name] as const), ...typos]);
}

/** True when only the first letter is replaced or missing. */
function isFirstLetterOnly(typo: string, name: string): boolean {
  return typo.length <= name.length && typo[0] !== name[0] && typo.endsWith(name.slice(1));
}

/** Suffix as typed → suffixes that it may mean. Two neighbouring keys are one typo here: `nry`. */
function endingsByTypo(endings: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return groupBy(
    [...new Set(endings)].flatMap((ending) => {
      const twoKeys = [...besideOf(ending)].flatMap((typo) => [...besideOf(typo)]);
      return [...new Set([...typosOf(ending), ...twoKeys])].map((typo) => [typo, ending] as const);
    }),
  );
}

/** `gmailc.om` and `gmai.lcom` → `gmail.com`. */
function domainsByMovedDot(providers: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    providers
      .map((domain) => [...cutAt(domain, domain.indexOf('.')), domain] as const)
      .filter(([name]) => name.length >= nameCharsMin)
      .flatMap(([name, ending, domain]) => [
        [`${name}${ending[0] ?? ''}.${ending.slice(1)}`, domain] as const,
        [`${name.slice(0, -1)}.${name.at(-1) ?? ''}${ending}`, domain] as const,
      ]),
  );
}

/**
 * All typos of a word: two letters swapped, a neighbouring key, a missing letter, a letter typed twice or with a neighbouring key. They are
 * the words at Damerau-Levenshtein distance 1 that a keyboard produces; others (`gmail` and `grail`) may be names of their own.
 */
export function typosOf(word: string): ReadonlySet<string> {
  const typos = new Set(besideOf(word));
  for (let at = 0; at < word.length; at += 1) {
    const [before, letter, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)];
    typos.add(before + after);
    if (after !== '') typos.add(before + after.charAt(0) + letter + after.slice(1));
    for (const key of [letter, ...keysBeside(letter)]) {
      typos.add(before + key + letter + after);
      typos.add(before + letter + key + after);
    }
  }
  typos.delete(word);
  return typos;
}

/** The word with one letter replaced by a neighbouring key. */
function besideOf(word: string): ReadonlySet<string> {
  return new Set(
    [...word].flatMap((letter, at) =>
      keysBeside(letter).map((key) => `${word.slice(0, at)}${key}${word.slice(at + 1)}`),
    ),
  );
}

/** Rows of a US keyboard, with their indent in keys. */
const keyRows = [
  { keys: '1234567890', indent: 0 },
  { keys: 'qwertyuiop', indent: 0.5 },
  { keys: 'asdfghjkl', indent: 0.75 },
  { keys: 'zxcvbnm', indent: 1.25 },
];

const keyPlaces = new Map(
  keyRows.flatMap(({ keys, indent }, row) =>
    [...keys].map((key, column) => [key, { row, column: column + indent }] as const),
  ),
);

/** Neighbouring keys, by key. */
const neighbours: ReadonlyMap<string, readonly string[]> = new Map(
  [...keyPlaces].map(([key, place]) => [
    key,
    [...keyPlaces].filter(([, other]) => isBeside(place, other)).map(([other]) => other),
  ]),
);

function keysBeside(letter: string): readonly string[] {
  return neighbours.get(letter) ?? [];
}

interface KeyPlace {
  readonly row: number;
  readonly column: number;
}

function isBeside(one: KeyPlace, other: KeyPlace): boolean {
  const across = Math.abs(one.column - other.column);
  return one.row === other.row ? across === 1 : Math.abs(one.row - other.row) === 1 && across < 1;
}

function firstLabelOf(domain: string): string {
  return domain.slice(0, domain.indexOf('.'));
}

function cutAt(text: string, at: number): readonly [string, string] {
  return [text.slice(0, at), text.slice(at + 1)];
}

function groupBy(pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const [key, value] of pairs) {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else if (!group.includes(value)) group.push(value);
  }
  return groups;
}
