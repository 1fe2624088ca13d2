import type { CompanyProfile, Identity } from '../../core/companies/match/company-profile.ts';
import { normaliseName } from '../../core/companies/company-name.ts';

/** Words that a key has at most. The query compares that many neighbouring words of an advertiser's name. */
export const keyWordsMax = 8;
const keyCharsMin = 2;
/** Letters of initials, at least: shorter ones are in too many names. */
const acronymCharsMin = 3;
/** Letters of the words of a name that is also searched with its words the other way round, at least. */
const reversedCharsMin = 3;

/**
 * Keys by which the query selects the advertisers that a company may have: words of its name and the label of its domain, written together. Coarse:
 * it selects more than the company's own (`evaluateProfiles` decides), and leaves out as few of them as possible. At most six or so, and the
 * names and brands of its families.
 */
export function companyKeys(profile: CompanyProfile): readonly string[] {
  const ofKind = (kind: Identity['kind']) => profile.identities.filter((each) => each.kind === kind);
  // Without the corporate words the name has more subsidiaries; a common word alone would have everyone's, unless it is the domain's.
  const cores = ofKind('core').filter(({ specificity, isLabel }) => specificity !== 'common' || isLabel);
  // With the whole name beside it, since the advertisers of a key are bounded.
  const names = [...ofKind('name'), ...cores];
  const acronyms = ofKind('acronym').filter(({ compact }) => compact.length >= acronymCharsMin);
  const labels = profile.identities.filter(({ kind, isLabel }) => kind === 'label' || isLabel);
  // Brands that are everyday words are in the names of too many others.
  const family = [...ofKind('member'), ...ofKind('parent')].filter(
    ({ specificity }) => specificity !== 'common',
  );
  const keys = [...names, ...labels, ...acronyms, ...family].map(({ compact }) => compact);
  return [...new Set([...keys, ...otherSpellings(profile)])].filter((key) => key.length >= keyCharsMin);
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
