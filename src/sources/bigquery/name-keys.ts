import type { CompanyProfile, Identity } from '../../core/companies/match/company-profile.ts';
import { normaliseName } from '../../core/companies/company-name.ts';

/** Words that a key has at most. The query compares that many neighbouring words of an advertiser's name. */
export const keyWordsMax = 8;
/** Letters of a name that may be the initials of an advertiser's first words (`.bmw`), at least and at most. */
export const initialsChars = { min: 3, max: 5 } as const;
const keyCharsMin = 2;
/** Letters of initials, at least: shorter ones are in too many names. */
const acronymCharsMin = 3;
/** Letters of the words of a name that is also searched with its words the other way round, at least. */
const reversedCharsMin = 3;

/**
 * Keys by which the query selects the advertisers that a company may have: words of its name, of its family and the label of its domain, written
 * together, and with a dot before them as initials. Coarse: it selects more than the company's own (`evaluateProfiles` decides), and leaves out as
 * few of them as possible. Few for most companies.
 */
export function companyKeys(profile: CompanyProfile): readonly string[] {
  const searched = profile.identities.filter(isSearched);
  const initials = searched.filter(
    ({ kind, compact: { length } }) =>
      (kind === 'name' || kind === 'label') && length >= initialsChars.min && length <= initialsChars.max,
  );
  const keys = [
    ...searched.map(({ compact }) => compact),
    ...otherSpellings(profile),
    ...initials.map(({ compact }) => `.${compact}`),
  ];
  return [...new Set(keys)].filter((key) => key.length >= keyCharsMin);
}

function isSearched({ kind, specificity, isLabel, compact }: Identity): boolean {
  // A common word alone would have everyone's, unless it is the domain's.
  if (kind === 'core') return specificity !== 'common' || isLabel;
  return kind !== 'acronym' || compact.length >= acronymCharsMin;
}

/** Spellings that the identities do not have: the beginning of a long name, two words the other way round (`Lilly (Eli)`). */
function otherSpellings({ name }: CompanyProfile): readonly string[] {
  if (name === null) return [];
  const { texts } = name;
  const [first = '', second = ''] = texts;
  if (texts.length > keyWordsMax) return [texts.slice(0, keyWordsMax).join('')];
  const isReversible =
    texts.length === 2 && first.length >= reversedCharsMin && second.length >= reversedCharsMin;
  return isReversible ? [second + first] : [];
}

/** The spelling of a name that is written in another script than Latin; empty for other names. The query does not transcribe names. */
export function nativeKeys(name: string): readonly string[] {
  return otherScript.test(name) ? [normaliseName(name).replaceAll(' ', '')] : [];
}

const otherScript = /[^\p{Script=Latin}\p{N}\P{L}]/u;
