import type { AdvertiserProfile } from './advertiser-profile.ts';
import type { CompanyProfile } from './company-profile.ts';
import type { NameProfile } from './name-profile.ts';

/** Evidence beside the names. */
export interface Context {
  readonly byDomain: boolean;
  /** Result of comparing the countries of company and advertiser; null if one is unknown. */
  readonly country: 'same' | 'other' | null;
  readonly advertiserCountries: ReadonlySet<string> | null;
  readonly verified: boolean | null;
  /** The advertiser's name has a legal form. */
  readonly hasForm: boolean;
  /** The advertiser has the legal form of a small company. */
  readonly localForm: boolean;
  /** The advertiser has the legal form of a large company. */
  readonly grandForm: boolean;
  /** Both have the legal forms of parent companies, different ones, or the advertiser has such a form in another country. */
  readonly listedForms: boolean;
}

/** Forms that every small business can have, folded. Our choice. */
const localForms = new Set(
  [
    'srl srls sl slu sarl eurl sasu sprl bvba vof snc ug ek ohg gbr kft bt sro doo jdoo ood eood uab sia ou oe ike',
    'ltda eireli eirl lda unipessoal fze llp opc ип фоп ооо тов',
  ].flatMap((line) => line.split(' ')),
);
const localPhrases = new Set([
  'spol s r o',
  'sp z oo',
  'sp z o o',
  'sp zoo',
  'unipessoal lda',
  'ltda me',
  'ltd sti',
]);
/** Last words of forms of parent companies, folded. Our choice. */
const grandForms = new Set(
  'inc incorporated corp corporation plc se kgaa oyj asa nv sgps publ nyrt tbk pcl'.split(' '),
);
/** Last words of forms that only a parent company has, seldom its subsidiary abroad. */
const parentForms = new Set('kgaa plc oyj asa nyrt sgps'.split(' '));
/** Countries of a form up to which it says where a company is. */
const formCountriesMax = 2;

/** Compares the countries and legal forms of a company and an advertiser under one of its names. */
export function contextOf(
  company: CompanyProfile,
  advertiser: AdvertiserProfile,
  name: NameProfile,
): Context {
  const countries = advertiser.country === null ? name.formCountries : new Set([advertiser.country]);
  const companyForm = lastWord(company.name?.forms[0] ?? '');
  const form = lastWord(name.forms[0] ?? '');
  const isGrand = grandForms.has(form);
  const country = compareCountries(company.countries, countries, advertiser.country !== null);
  return {
    byDomain: advertiser.byDomain,
    country,
    advertiserCountries: countries,
    verified: advertiser.verified,
    hasForm: name.forms.length > 0,
    localForm: name.forms.some((each) => localForms.has(each) || localPhrases.has(each)),
    grandForm: isGrand,
    listedForms:
      companyForm !== form &&
      ((isGrand && grandForms.has(companyForm)) ||
        (parentForms.has(form) && (companyForm !== '' || country === 'other'))),
  };
}

function lastWord(form: string): string {
  return form.slice(form.lastIndexOf(' ') + 1);
}

/** `isLocated`: the advertiser's country is known. Otherwise its legal form is all there is, and many forms have several countries. */
function compareCountries(
  company: ReadonlySet<string> | null,
  advertiser: ReadonlySet<string> | null,
  isLocated: boolean,
): Context['country'] {
  if (company === null || advertiser === null) return null;
  for (const code of company)
    if (advertiser.has(code)) return isLocated || advertiser.size <= formCountriesMax ? 'same' : null;
  return 'other';
}
