import type { EmailAddress } from '../syntax/address.ts';

/** The part of an address that can be misspelt here. */
export type TypedDomain = Pick<EmailAddress, 'asciiDomain' | 'registrableDomain'>;

/**
 * The domain that a misspelt one may have meant, in ASCII; null where there is no good guess.
 *
 * @param domainTakesMail what DNS says; null where it was not asked. An ending that exists (`.co`) is only called a slip when it is
 *   false, one that does not exist (`.con`) unless it is true.
 */
export type DidYouMean = (typed: TypedDomain, domainTakesMail: boolean | null) => string | null;

/** Shorter names are too close to those of others: `aol.com` and `aok.com`, `gmx.de` and `gmc.de`. Our choice. */
const nameCharsMin = 5;

/** Endings that any company may have meant. */
const commonEndings = ['com', 'net', 'org'];

/** Countries whose ending is a slip of `com` or `net`. */
const countrySlips: ReadonlyMap<string, string> = new Map([
  ['cm', 'com'],
  ['co', 'com'],
  ['ne', 'net'],
  ['om', 'com'],
]);

/**
 * Makes the search for what a misspelt domain may have meant. All slips are worked out here, once, so that asking costs a few
 * look-ups (SymSpell's idea).
 *
 * One slip in the name of a provider is seen (see `slipsOf`; never in the first letter alone, which people get right), one in
 * its ending, and a dot that changed places with its neighbour. For other domains an ending that does not exist is mended when
 * it is a slip of `com`, `net` or `org`. Two guesses of which none ends in `com` are no guess.
 *
 * @param providers domains in ASCII, in lower case
 * @param isKnown whether a domain is a name of its own: it is never called a slip, nor is a provider
 */
export function createDidYouMean(
  providers: readonly string[],
  isKnown: (asciiDomain: string) => boolean,
): DidYouMean {
  const right = new Set(providers);
  const endings = endingsByName(providers);
  const names = namesBySlip([...endings.keys()]);
  const repaired = endingsBySlip([...commonEndings, ...[...endings.values()].flat()]);
  const movedDots = domainsByMovedDot(providers);
  const nameCharsMax = Math.max(0, ...[...names.keys()].map((name) => name.length));

  return ({ asciiDomain, registrableDomain }, domainTakesMail) => {
    if (right.has(asciiDomain)) return null;
    const hasRealEnding = registrableDomain !== null;
    if (!hasRealEnding && domainTakesMail === true) return null;
    const dot = asciiDomain.indexOf('.');
    if (dot === -1) return null;
    const meantNames = dot > nameCharsMax ? undefined : names.get(asciiDomain.slice(0, dot));
    const moved = movedDots.get(asciiDomain);
    // Most domains end here, which is why whether they are known is asked after.
    if (hasRealEnding && meantNames === undefined && moved === undefined) return null;
    if (isKnown(asciiDomain)) return null;
    if (moved !== undefined) return moved;
    const ending = asciiDomain.slice(dot + 1);
    const meantEndings = endingsMeant(ending, hasRealEnding, domainTakesMail);
    const guess = bestGuess(meantNames ?? [], [ending, ...meantEndings]);
    if (guess !== null || hasRealEnding || mayBeCountry(ending)) return guess;
    return repairedEnding(asciiDomain.slice(0, dot), meantEndings);
  };

  function endingsMeant(
    ending: string,
    hasRealEnding: boolean,
    domainTakesMail: boolean | null,
  ): readonly string[] {
    if (!hasRealEnding) return repaired.get(ending) ?? [];
    const meant = domainTakesMail === false ? countrySlips.get(ending) : undefined;
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

/** Two letters are a country's, or a slip of one; and `com.om` has no owner though its ending exists. */
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

/** A name as it is typed → the names that may have been meant; a name that is right means itself. */
function namesBySlip(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const right = new Set(names);
  const slips = names
    .filter((name) => name.length >= nameCharsMin)
    .flatMap((name) => [...slipsOf(name)].map((slip) => [slip, name] as const))
    .filter(([slip, name]) => !right.has(slip) && !isFirstLetterAlone(slip, name));
  return groupBy([...names.map((name) => [name, name] as const), ...slips]);
}

/** The first letter replaced or left out, the rest as it should be. */
function isFirstLetterAlone(slip: string, name: string): boolean {
  return slip.length <= name.length && slip[0] !== name[0] && slip.endsWith(name.slice(1));
}

/** An ending as it is typed → the endings that may have been meant. Two fingers on the next key are one slip here: `nry`. */
function endingsBySlip(endings: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return groupBy(
    [...new Set(endings)].flatMap((ending) => {
      const twoKeys = [...besideOf(ending)].flatMap((slip) => [...besideOf(slip)]);
      return [...new Set([...slipsOf(ending), ...twoKeys])].map((slip) => [slip, ending] as const);
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
 * Every way in which one slip of the fingers misspells a word: two letters in the wrong order, the key beside the right one, a
 * letter left out, a letter typed twice or the key beside it along with it. These are the words at Damerau-Levenshtein
 * distance 1 that fingers make; the others (`gmail` and `grail`) are left to be names of their own.
 */
export function slipsOf(word: string): ReadonlySet<string> {
  const slips = new Set(besideOf(word));
  for (let at = 0; at < word.length; at += 1) {
    const [before, letter, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)];
    slips.add(before + after);
    if (after !== '') slips.add(before + after.charAt(0) + letter + after.slice(1));
    for (const key of [letter, ...keysBeside(letter)]) {
      slips.add(before + key + letter + after);
      slips.add(before + letter + key + after);
    }
  }
  slips.delete(word);
  return slips;
}

/** The word with one letter replaced by a key beside it. */
function besideOf(word: string): ReadonlySet<string> {
  return new Set(
    [...word].flatMap((letter, at) =>
      keysBeside(letter).map((key) => `${word.slice(0, at)}${key}${word.slice(at + 1)}`),
    ),
  );
}

/** The rows of a keyboard in the United States, and how far each is set in, in keys. */
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

/** The keys that touch a key, by the key. */
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
