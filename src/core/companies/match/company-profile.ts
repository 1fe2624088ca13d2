import { registrableLabel } from '../domain.ts';
import { foldText } from '../fold-text.ts';
import { countryCode } from './country-code.ts';
import { familiesOf, type CompanyFamilies } from './company-families.ts';
import { profileName, soundKeysOf, type NameProfile, type NameWord } from './name-profile.ts';
import { specificityOf, type Specificity } from './specificity.ts';
import { canonicalWord, countryOf, isGivenName, kindOf, softKinds } from './word-kinds.ts';
import { createMemo } from '../../memo.ts';

/** A company whose advertisers are evaluated. At least one of `name` and `domain` should be set. */
export interface MatchedCompany {
  readonly name: string | null;
  /** Registrable domain, as `parseDomain` gives it. */
  readonly domain: string | null;
  /** As ISO 3166-1 code of two letters or by its name. */
  readonly country?: string | null | undefined;
}

/** A text by which a company is recognized. */
export interface Identity {
  /**
   * `name`: all words of the name; `core`: those without corporate words, trades and places; `label`: of the domain; `acronym`: the
   * initials; `member`: another name, a brand or a subsidiary in the company's family; `parent`: a name of its parent.
   */
  readonly kind: 'name' | 'core' | 'label' | 'acronym' | 'member' | 'parent';
  /** Words written together. */
  readonly compact: string;
  /** Keys of its sound, made on first use: few advertisers are written in another script. */
  readonly sounds: () => readonly string[];
  readonly specificity: Specificity;
  /** Words of the company's name that this text leaves out. */
  readonly left: readonly string[];
  /** The domain's label is this text: the company is known by it. */
  readonly isLabel: boolean;
}

/** A company, prepared for comparing with many advertisers. */
export interface CompanyProfile {
  readonly name: NameProfile | null;
  /** Most telling first. */
  readonly identities: readonly Identity[];
  /** Countries of the company, by its country, its domain or its legal form; null if unknown. */
  readonly countries: ReadonlySet<string> | null;
  readonly domain: string | null;
  /** Words of the name, sorted and joined, to recognize another order. */
  readonly sorted: string | null;
  /** The last labels of the domain: `com` of `booking.com`. */
  readonly endings: ReadonlySet<string>;
  readonly families: CompanyFamilies;
  /** Names of the families that are not its own, written together. */
  readonly parts: ReadonlySet<string>;
}

/** Two-letter endings that companies everywhere use. */
const genericEndings = new Set(
  'ai ag am app cc co dev eu fm gg io is la ly me mu sh so st tk to tv vc ws'.split(' '),
);
const countryOfEnding: Readonly<Record<string, string>> = { uk: 'GB', su: 'RU' };
const possessive = /['’]s(?![\p{L}\p{N}])/u;
/** Words that companies add to their name in a domain. */
const labelAffix =
  /^(?:get|go|join|my|the|try|use|we)(?=.{4})|(?<=.{3})(?:app|hq|group|gruppe|grupo|online|global|official|world|inc|corp|company|ag|sa|se|gmbh|bp|usa|uk)$/;

/** Prepares a company for comparing. */
export function profileCompany({ name, domain, country }: MatchedCompany): CompanyProfile {
  const profile = name === null ? null : profileName(name);
  const label = domain === null ? null : labelOf(domain);
  const countries = countriesOf(profile, domain, country ?? null);
  const own = identitiesOf(profile, label, name !== null && possessive.test(name));
  const families = familiesOf({ profile, domain, label: label?.join('') ?? null, countries });
  const parts = own.length === 0 ? [] : familyIdentities(families, own);
  return {
    name: profile,
    identities: [...own, ...parts],
    parts: new Set(parts.map(({ compact }) => compact)),
    families,
    countries,
    domain,
    sorted: profile === null || profile.words.length < 2 ? null : sortedWords(profile.words),
    endings: new Set(domain === null ? [] : domain.split('.').slice(1)),
  };
}

/** Words in alphabetical order, joined, so that names are equal in any order; joining words are left out. */
export function sortedWords(words: readonly NameWord[]): string {
  return words
    .flatMap(({ text }) => (kindOf(text) === 'joining' ? [] : [countryOf(text) ?? text]))
    .sort()
    .join(' ');
}

/** The words of the label of a domain. */
function labelOf(domain: string): readonly string[] {
  return foldText(registrableLabel(domain)).split(' ').map(canonicalWord);
}

function identitiesOf(
  name: NameProfile | null,
  label: readonly string[] | null,
  isPossessive: boolean,
): readonly Identity[] {
  const found: Identity[] = [];
  const compactLabel = label?.join('') ?? null;
  const add = (kind: Identity['kind'], words: readonly string[], left: readonly string[] = []): void => {
    const compact = words.join('');
    if (compact.length < 2 || found.some((each) => each.compact === compact)) return;
    const isLabel = compact === compactLabel || withoutAnd(words) === compactLabel;
    found.push({
      kind,
      compact,
      sounds: lazySounds(words),
      specificity: specificityOf(words),
      left,
      isLabel,
    });
  };
  if (name !== null) {
    const words = name.texts;
    add('name', words);
    if (words.includes('and'))
      add(
        'name',
        words.filter((word) => word !== 'and'),
      );
    if (isPossessive)
      add(
        'name',
        words.map((word) => (word.length > 4 && word.endsWith('s') ? word.slice(0, -1) : word)),
      );
    const core = coreOf(words);
    if (core !== null) add('core', core.words, core.left);
    const [first = '', ...family] = words;
    if (family.length > 0 && kindOf(family[0] ?? '') !== 'joining' && isGivenName(first))
      add('core', family, [first]);
    const initials = initialsOf(words);
    if (initials !== null) add('acronym', [initials]);
  }
  if (label !== null && compactLabel !== null) {
    add('label', label);
    const stripped = compactLabel.replace(labelAffix, '');
    if (stripped !== compactLabel) add('label', [stripped]);
  }
  return found;
}

/** Names of the company's families that are not its own name. */
function familyIdentities(
  { members, parents }: CompanyFamilies,
  own: readonly Identity[],
): readonly Identity[] {
  const seen = new Set(own.map(({ compact }) => compact));
  const identityOf =
    (kind: 'member' | 'parent') =>
    (name: string): readonly Identity[] => {
      const part = partOf(name);
      if (part === null || seen.has(part.compact)) return [];
      seen.add(part.compact);
      return [{ kind, ...part }];
    };
  return [...members.flatMap(identityOf('member')), ...parents.flatMap(identityOf('parent'))];
}

const familyParts = createMemo<string, Omit<Identity, 'kind'> | null>(50_000);

/** The identity of a name in a family, made on first use; null for an unusable name. */
function partOf(name: string): Omit<Identity, 'kind'> | null {
  return familyParts.get(name, makePart);
}

function makePart(name: string): Omit<Identity, 'kind'> | null {
  const profile = profileName(name);
  if (profile === null || profile.compact.length < 2) return null;
  return {
    compact: profile.compact,
    sounds: lazySounds(profile.texts),
    specificity: specificityOf(profile.texts),
    left: [],
    isLabel: false,
  };
}

function lazySounds(words: readonly string[]): () => readonly string[] {
  let keys: readonly string[] | null = null;
  return () => (keys ??= soundKeysOf(words.map((text) => ({ text, sounded: false }))));
}

function withoutAnd(words: readonly string[]): string {
  return words.filter((word) => word !== 'and').join('');
}

/** The words of a name without soft words at both ends, and the words left out; null if nothing or everything is soft. */
function coreOf(words: readonly string[]): { words: readonly string[]; left: readonly string[] } | null {
  const isSoft = words.map((word) => softKinds.has(kindOf(word)));
  const first = isSoft.indexOf(false);
  const last = isSoft.lastIndexOf(false);
  if (first === -1 || last - first + 1 === words.length) return null;
  const left = [...words.slice(0, first), ...words.slice(last + 1)].filter(
    (word) => kindOf(word) !== 'joining' && kindOf(word) !== 'form',
  );
  return { words: words.slice(first, last + 1), left };
}

/** Initials of two to six words; null for other names. */
export function initialsOf(words: readonly string[]): string | null {
  const counted = words.filter((word) => kindOf(word) !== 'joining');
  if (counted.length < 2 || counted.length > 6) return null;
  return counted.map((word) => word.charAt(0)).join('');
}

function countriesOf(
  name: NameProfile | null,
  domain: string | null,
  country: string | null,
): ReadonlySet<string> | null {
  const code = country === null ? null : countryCode(country);
  if (code !== null) return new Set([code]);
  const ending = domain?.slice(domain.lastIndexOf('.') + 1) ?? '';
  if (ending.length === 2 && !genericEndings.has(ending))
    return new Set([countryOfEnding[ending] ?? ending.toUpperCase()]);
  // English forms are used in many countries.
  return name?.formCountries?.has('US') === true ? null : (name?.formCountries ?? null);
}
