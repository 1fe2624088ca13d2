import { SourceUnavailable } from '../errors.ts';
import type { AdsQuestion, AdSource } from './ad-source.ts';
import {
  wholeExtent,
  type AdsAnswer,
  type Extent,
  type FoundAds,
  type SearchOptions,
  type StoredAds,
} from '../ads/ads-answer.ts';
import { toUncertain } from '../ads/evaluate-reported.ts';
import { ownOnly, relateAds, type AskedCompany, type RelatedAd, type Relation } from '../ads/relate.ts';
import type { UncertainAdvertiser } from '../companies/advertiser-candidates.ts';
import type { AdvertiserMatch } from '../companies/match/evaluate-advertiser.ts';

interface Wanted extends Pick<SearchOptions, 'adsMax' | 'ownOnly'> {
  /** `AdSource.ownMapping`; absent: the whole mapping. */
  readonly ownMapping?: AdSource['ownMapping'];
}

/**
 * Applies the options of a search to the answer of a source: removes ads of denied advertisers, sets the relation of the
 * others, and keeps only own ads and at most `adsMax` if requested.
 *
 * A search by domain keeps the ads of all advertisers. A search by name keeps those of the company and of mapped agencies: the others are
 * namesakes. If it is uncertain that an advertiser belongs to the company, it is a candidate for a decision by a person; if its ads are left out
 * of an answer with others, that is partial.
 *
 * An answer of which nothing remains says something about the company only if it was complete. If it was truncated, the result
 * is `no_match`, never `none`; another call would return the same.
 *
 * @throws SourceUnavailable when nothing remains of a partial answer: the rest may contain the wanted ads.
 */
export function limitAnswer(answer: AdsAnswer, question: AdsQuestion, wanted: Wanted): AdsAnswer {
  if (answer.kind === 'found') return limitFound(answer, question, wanted);
  return answer.kind === 'stored' ? limitStored(answer, question, wanted) : answer;
}

/** Number of ads to request from a source: its default if some will be left out, because otherwise those could use up the limit. */
export function adsMaxFor(mapping: AdsQuestion['mapping'], { adsMax, ownOnly }: Wanted): number | null {
  return ownOnly || mapping.some(({ role }) => role !== 'allow') ? null : adsMax;
}

function limitFound(answer: FoundAds, question: AdsQuestion, wanted: Wanted): AdsAnswer {
  const { mapping } = question;
  const asked = askedCompany(answer, question);
  const related = relateAds(asked, answer.ads);
  const candidates = candidatesIn(related, answer, mapping);
  // A search by domain has everyone who advertises it. One by name has the company and its namesakes.
  const isKept = (each: RelatedAd) => asked.searchedBy === 'domain' || !isStranger(each);
  const kept = related.filter(isKept);
  if (!wanted.ownOnly) {
    if (kept.length > 0) return withAds(answer, kept, { candidates, adsMax: wanted.adsMax });
    return emptied({ ...answer, candidates }, related.length === 0 ? 'none' : 'no_match');
  }
  const own = ownOnly(related, wanted.ownMapping?.(mapping) ?? mapping);
  return own.kind === 'found'
    ? withAds(answer, own.ads, { candidates, adsMax: wanted.adsMax })
    : emptied({ ...answer, candidates }, own.kind);
}

function askedCompany({ matchedBy, ...answer }: FoundAds, { company, mapping }: AdsQuestion): AskedCompany {
  const searchedDomain = answer.searchedDomain ?? (matchedBy === 'domain' ? company.domain : null);
  const { name, domain } = company;
  const rest = { mapping, known: answer.knownAdvertisers };
  if (searchedDomain !== null)
    return { company: { name, domain: searchedDomain }, searchedBy: 'domain', ...rest };
  // The label of the domain was searched because the name beside it is missing, or another company's.
  const searched = matchedBy === 'domain_label' ? null : name;
  return {
    company: { name: searched, domain },
    searchedBy: matchedBy === 'mapping' ? 'mapping' : 'name',
    ...rest,
  };
}

/** True for an ad of an advertiser that was evaluated as another business or as uncertain; not for one that the operator has mapped. */
function isStranger({ relation, evaluated }: RelatedAd): boolean {
  return evaluated !== null && relation !== 'own';
}

/** The advertisers of which it is uncertain that they belong to the company, each once; those that are mapped are decided. */
function candidatesIn(
  related: readonly RelatedAd[],
  { candidates = [] }: FoundAds,
  mapping: AdsQuestion['mapping'],
): readonly UncertainAdvertiser[] {
  const decided = new Set(mapping.map(({ advertiserId }) => advertiserId));
  const found = related.flatMap(({ relation, evaluated }) =>
    evaluated !== null && relation === 'unknown' ? [toUncertain(evaluated)] : [],
  );
  const known = candidates.filter(({ advertiserId }) => !decided.has(advertiserId));
  return [...new Map([...known, ...found].map((each) => [each.advertiserId, each])).values()];
}

/** Answer without any remaining ads; `kind` if it was whole. */
function emptied(
  { matchedBy, extent = wholeExtent, candidates = [] }: FoundAds,
  kind: 'none' | 'no_match',
): AdsAnswer {
  if (extent.partial)
    throw new SourceUnavailable(
      'The source returned only some of the ads, and none of them matches; the rest could not be loaded.',
      { inDoubt: false },
    );
  const rest = candidates.length === 0 ? {} : { candidates };
  return kind === 'no_match' || extent.truncated
    ? { kind: 'no_match', ...rest }
    : { kind, matchedBy, ...rest };
}

interface Kept extends Pick<SearchOptions, 'adsMax'> {
  readonly candidates: readonly UncertainAdvertiser[];
}

function withAds(answer: FoundAds, related: readonly RelatedAd[], { candidates, adsMax }: Kept): AdsAnswer {
  const { extent = wholeExtent } = answer;
  const kept = related.slice(0, adsMax ?? related.length);
  const advertisers = new Set(related.map(({ ad }) => ad.advertiserId));
  const leftOut = candidates.filter(({ advertiserId }) => !advertisers.has(advertiserId)).length;
  return {
    ...answer,
    ads: kept.map(({ ad }) => ad),
    relations: relationsIn(kept),
    matches: matchesIn(kept),
    candidates,
    extent: withUncertain(
      { ...extent, truncated: extent.truncated || kept.length < related.length },
      leftOut,
    ),
  };
}

/** Marks an extent as partial if ads of uncertain advertisers are left out. A page that failed is the graver reason. */
function withUncertain(extent: Extent, leftOut: number): Extent {
  if (leftOut === 0) return extent;
  return {
    ...extent,
    partial: true,
    partialReason: extent.partial ? (extent.partialReason ?? 'page_failed') : 'uncertain_advertisers',
    uncertainAdvertisers: leftOut,
  };
}

function relationsIn(related: readonly RelatedAd[]): ReadonlyMap<string, Relation> {
  return new Map(
    related.flatMap(({ ad: { advertiserId }, relation }) =>
      advertiserId === null || relation === 'own' ? [] : [[advertiserId, relation] as const],
    ),
  );
}

function matchesIn(related: readonly RelatedAd[]): ReadonlyMap<string, AdvertiserMatch> {
  return new Map(
    related.flatMap(({ evaluated }) =>
      evaluated === null ? [] : [[evaluated.advertiserId, evaluated.match] as const],
    ),
  );
}

/** Advertisers of a data set of ours are known: the remaining ones are the company's. Their ads are counted when they are linked. */
function limitStored(answer: StoredAds, { mapping }: AdsQuestion, wanted: Wanted): AdsAnswer {
  const advertisers = wanted.ownOnly
    ? answer.advertisers.filter(({ relation }) => relation === 'own')
    : answer.advertisers;
  if (advertisers.length > 0) return { ...answer, advertisers, adsMax: wanted.adsMax };
  const own = wanted.ownMapping?.(mapping) ?? mapping;
  const isReported = own.some(({ role }) => role === 'allow');
  return isReported ? { kind: 'none', matchedBy: 'mapping' } : { kind: 'no_match' };
}
