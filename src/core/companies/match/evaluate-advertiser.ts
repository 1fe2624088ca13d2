import { addedWords } from './added-words.ts';
import { alignmentsOf } from './align.ts';
import { profileCompany, type CompanyProfile, type MatchedCompany } from './company-profile.ts';
import { profileName, type NameProfile } from './name-profile.ts';
import type { MatchReason } from './reasons.ts';
import { scoreAlignment, scoreStranger, type Context, type Score } from './score.ts';

/** An advertiser as a source reports it. What is not known is null or left out. */
export interface MatchedAdvertiser {
  readonly name: string | null;
  /** How the source was searched when it returned the advertiser. */
  readonly foundBy: 'domain' | 'name';
  readonly legalName?: string | null | undefined;
  /** ISO 3166-1 code of two letters. */
  readonly location?: string | null | undefined;
  readonly verified?: boolean | null | undefined;
  /** Number of its ads in the answer. */
  readonly adsCount?: number | null | undefined;
  /** Registrable domains that its ads point to. */
  readonly targetDomains?: readonly string[] | null | undefined;
}

/** Relation of an advertiser to a company, and why. */
export interface AdvertiserMatch {
  readonly relation: 'own' | 'unknown' | 'third_party';
  readonly confidence: number;
  readonly reasons: readonly MatchReason[];
}

const ownMin = 0.9;
const thirdPartyMax = 0.15;

/** Evaluates one advertiser of one company. */
export function evaluateAdvertiser(company: MatchedCompany, advertiser: MatchedAdvertiser): AdvertiserMatch {
  return evaluateProfiles(profileCompany(company), advertiser);
}

/** Evaluates an advertiser of a prepared company. */
export function evaluateProfiles(company: CompanyProfile, advertiser: MatchedAdvertiser): AdvertiserMatch {
  const name = advertiser.name === null ? null : profileName(advertiser.name);
  if (name === null || company.identities.length === 0) return { relation: 'unknown', confidence: 0.5, reasons: [name === null ? 'no_advertiser_name' : 'no_company'] };
  const context = contextOf(company, advertiser, name);
  let best: Score | null = null;
  for (const alignment of alignmentsOf(company, name)) {
    const score = scoreAlignment(alignment, addedWords(company, alignment), context);
    if (best === null || score.logit > best.logit) best = score;
  }
  best ??= scoreStranger(name, context);
  return matchOf(best);
}

const localForms = new Set('srl srls sro spol s r o kft bt ltda ltda me eireli ug ek ohg gbr sl slu doo jdoo ood eood sp z oo zoo sarl eurl sasu oe ike uab sia ou fze llp opc ип фоп ооо eirl lda unipessoal lda'.split(' '));
const grandForms = new Set('inc incorporated corp corporation plc se kgaa oyj asa nv sgps publ nyrt tbk pcl'.split(' '));

function contextOf(company: CompanyProfile, advertiser: MatchedAdvertiser, name: NameProfile): Context {
  const location = advertiser.location ?? null;
  const countries = location === null ? name.formCountries : new Set([location.toUpperCase()]);
  const companyForm = company.name?.forms.at(0) ?? '';
  const form = name.forms.at(0) ?? '';
  return {
    byDomain: advertiser.foundBy === 'domain',
    country: compare(company.countries, countries, location !== null),
    advertiserCountries: countries,
    verified: advertiser.verified ?? null,
    localForm: name.forms.some((each) => localForms.has(each)),
    listedForms: companyForm !== form && grandForms.has(lastWord(companyForm)) && grandForms.has(lastWord(form)),
    grandForm: grandForms.has(lastWord(form)),
  };
}

function lastWord(form: string): string {
  return form.slice(form.lastIndexOf(' ') + 1);
}

function compare(a: ReadonlySet<string> | null, b: ReadonlySet<string> | null, isCertain: boolean): Context['country'] {
  if (a === null || b === null) return null;
  for (const code of a) if (b.has(code)) return isCertain || b.size <= 2 ? 'same' : null;
  return 'other';
}

function matchOf({ logit, reasons }: Score): AdvertiserMatch {
  const own = 1 / (1 + Math.exp(-logit));
  const list = [...reasons];
  if (own >= ownMin) return { relation: 'own', confidence: own, reasons: list };
  if (own <= thirdPartyMax) return { relation: 'third_party', confidence: 1 - own, reasons: list };
  return { relation: 'unknown', confidence: own, reasons: list };
}
