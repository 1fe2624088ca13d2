import type { Alignment } from './align.ts';
import { initialsOf, type CompanyProfile, type Identity } from './company-profile.ts';
import { countryOf, isGivenName, isPersonName, kindOf, type WordKind } from './word-kinds.ts';

/** Words that an advertiser's name adds to the company's. */
export interface AddedWords {
  readonly kinds: ReadonlySet<WordKind>;
  /** Number of words on no list, and of common words. */
  readonly others: number;
  /** Some of them are before the name. */
  readonly before: boolean;
  /** `of` and no country. */
  readonly ofPlace: boolean;
  /** Distinguishing words of the company's name that are missing. */
  readonly missing: readonly string[];
  /** Countries that the added words name. */
  readonly countries: ReadonlySet<string>;
  /** Some of the words before the name are of a trade. */
  readonly tradeBefore: boolean;
  /** Some of the words before the name are generic: `Tech` or `Market`, not a `Group`. */
  readonly genericBefore: boolean;
  /** The words behind the name spell out its letters: `Hennes & Mauritz` behind `H&M`. */
  readonly spelledOut: boolean;
  /** Initials with `&` between them, as in the company's name. */
  readonly hasAmpersand: boolean;
  /** A given name before it: `Robert Bosch`. */
  readonly givenNameOnly: boolean;
}

/** Generic words that custom puts before a name: `Grupo`, `Groupe`. */
const structure: ReadonlySet<string> = new Set(
  'group groupe grupo gruppo gruppe grupa grup inter'.split(' '),
);
const ignored: ReadonlySet<WordKind> = new Set(['joining', 'form']);

/** Evaluates the words beside the company's identity in an advertiser's name. */
export function addedWords(
  company: CompanyProfile,
  { identity, before, after, hasAmpersand }: Alignment,
): AddedWords {
  const missing = [...identity.left];
  const rest = (words: readonly string[]): readonly string[] =>
    words.filter(
      (word) =>
        word !== identity.compact &&
        !takeOut(missing, word) &&
        !company.endings.has(word) &&
        !company.parts.has(word),
    );
  const added = { before: rest(before), after: rest(after) };
  const spelledOut = isSpelledOut(identity.compact, added.after);
  const all = spelledOut ? added.before : [...added.before, ...added.after];
  const kinds = new Set<WordKind>();
  const countries = new Set<string>();
  let others = 0;
  for (const word of all) {
    const kind = kindOf(word);
    if (ignored.has(kind)) continue;
    kinds.add(kind);
    if (kind === 'place') countries.add(countryOf(word) ?? '');
    if (kind === 'other' || kind === 'common') others += 1;
  }
  if (added.after.filter((word) => word.length === 1 && word !== 's').length > 1) {
    others += 1;
    kinds.add('other');
  }
  const beforeOthers = added.before.filter((word) => !ignored.has(kindOf(word)));
  return {
    kinds,
    others,
    before: beforeOthers.some((word) => !isSoft(kindOf(word))),
    tradeBefore: beforeOthers.some((word) => kindOf(word) === 'trade' || kindOf(word) === 'industry'),
    genericBefore: beforeOthers.some((word) => kindOf(word) === 'generic' && !structure.has(word)),
    spelledOut,
    hasAmpersand,
    ofPlace: isOfPlace(after),
    missing: missing.filter((word) => isTelling(word, identity)),
    countries,
    givenNameOnly: isGivenName(before.at(-1) ?? '') && all.filter((word) => isPersonName(word)).length === 1,
  };
}

/** `Hennes & Mauritz` behind `H&M`. */
function isSpelledOut(compact: string, after: readonly string[]): boolean {
  return initialsOf(after)?.startsWith(compact) === true;
}

function isSoft(kind: WordKind): boolean {
  return (
    kind === 'place' ||
    kind === 'region' ||
    kind === 'corporate' ||
    kind === 'generic' ||
    kind === 'trade' ||
    kind === 'industry'
  );
}

/** Words of one meaning, of which a company's name may have one and its subsidiary another. */
const synonyms: ReadonlyMap<string, string> = new Map(
  [
    'bank banking banco banca banque banka bankasi banken',
    'car cars auto autos automobile automobiles automobil motor motors automotive',
    'electronics electronic elektronik eletronica electronica elettronica',
    'energy energie energia energi power',
    'insurance versicherung versicherungs assicurazioni seguros assurance assurances',
    'airlines airways',
    'foods food',
  ].flatMap((row) => row.split(' ').map((word) => [word, row] as const)),
);

/** True for a word of the company's name that tells it from a namesake. */
function isTelling(word: string, { isLabel }: Identity): boolean {
  if (kindOf(word) === 'corporate' || kindOf(word) === 'generic' || isGivenName(word)) return false;
  return !(isLabel && synonyms.get(word)?.startsWith('bank ') === true);
}

/** Removes the word, or its singular or plural, from the list; false if it is not in it. */
function takeOut(words: string[], word: string): boolean {
  const at = words.findIndex((each) => isSame(each, word));
  if (at === -1) return false;
  words.splice(at, 1);
  return true;
}

function isSame(a: string, b: string): boolean {
  if (singular(a) === singular(b)) return true;
  const row = synonyms.get(a);
  return row !== undefined && row === synonyms.get(b);
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word;
}

function isOfPlace(after: readonly string[]): boolean {
  const [first, second] = after;
  if (first !== 'of' || second === undefined) return false;
  const named = after.slice(1).find((word) => kindOf(word) !== 'joining') ?? '';
  const kind = kindOf(named);
  return kind !== 'place' && kind !== 'region';
}
