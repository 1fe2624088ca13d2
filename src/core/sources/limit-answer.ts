import { SourceUnavailable } from '../errors.ts';
import type { AdsQuestion, AdSource } from './ad-source.ts';
import {
  wholeExtent,
  type AdsAnswer,
  type FoundAds,
  type SearchOptions,
  type StoredAds,
} from '../ads/ads-answer.ts';
import { ownOnly, relateAds, type RelatedAd, type Relation } from '../ads/relate.ts';

interface Wanted extends Pick<SearchOptions, 'adsMax' | 'ownOnly'> {
  /** `AdSource.ownMapping`; absent: all that is mapped. */
  readonly ownMapping?: AdSource['ownMapping'];
}

/**
 * A source's answer as this search wants it: ads of denied advertisers gone, whose each of the others is, only the company's own ones
 * where that was asked for, and no more of them than were asked for.
 *
 * That nothing is left of an answer says something of the company only where the answer was whole. Of one that holds the first ads of
 * more (`truncated`) it could not be told: `no_match`, never `none`; asking again would end the same.
 *
 * @throws SourceUnavailable when nothing is left of an answer that was cut short (`partial`): what is wanted may be in the rest.
 */
export function limitAnswer(answer: AdsAnswer, question: AdsQuestion, wanted: Wanted): AdsAnswer {
  if (answer.kind === 'found') return limitFound(answer, question, wanted);
  return answer.kind === 'stored' ? limitStored(answer, question, wanted) : answer;
}

/** Number of ads to request from a source: where some will be left out, as many as it gives, or the bound would be spent on those. */
export function adsMaxFor(mapping: AdsQuestion['mapping'], { adsMax, ownOnly }: Wanted): number | null {
  return ownOnly || mapping.some(({ role }) => role !== 'allow') ? null : adsMax;
}

function limitFound(answer: FoundAds, question: AdsQuestion, wanted: Wanted): AdsAnswer {
  const { company, mapping } = question;
  const { matchedBy } = answer;
  const searchedDomain = answer.searchedDomain ?? (matchedBy === 'domain' ? company.domain : null);
  const related = relateAds({ company, mapping, searchedDomain }, answer.ads);
  if (!wanted.ownOnly)
    return related.length === 0 ? emptied(answer, 'none') : withAds(answer, related, wanted.adsMax);
  const own = ownOnly(related, wanted.ownMapping?.(mapping) ?? mapping);
  return own.kind === 'found' ? withAds(answer, own.ads, wanted.adsMax) : emptied(answer, own.kind);
}

/** Answer without any remaining ads; `kind` if it was whole. */
function emptied({ matchedBy, extent = wholeExtent }: FoundAds, kind: 'none' | 'no_match'): AdsAnswer {
  if (extent.partial)
    throw new SourceUnavailable(
      'The source gave a part of the ads alone, and none of those is wanted; the rest could not be had.',
      { inDoubt: false },
    );
  return kind === 'no_match' || extent.truncated ? { kind: 'no_match' } : { kind, matchedBy };
}

function withAds(answer: FoundAds, related: readonly RelatedAd[], adsMax: number | null): AdsAnswer {
  const { extent = wholeExtent } = answer;
  const kept = related.slice(0, adsMax ?? related.length);
  return {
    ...answer,
    ads: kept.map(({ ad }) => ad),
    relations: relationsIn(kept),
    extent: { ...extent, truncated: extent.truncated || kept.length < related.length },
  };
}

function relationsIn(related: readonly RelatedAd[]): ReadonlyMap<string, Relation> {
  return new Map(
    related.flatMap(({ ad: { advertiserId }, relation }) =>
      advertiserId === null || relation === 'own' ? [] : [[advertiserId, relation] as const],
    ),
  );
}

/** The advertisers of an own data set are known: those that are left are the company's. Their ads are counted where they are linked. */
function limitStored(answer: StoredAds, { mapping }: AdsQuestion, wanted: Wanted): AdsAnswer {
  const advertisers = wanted.ownOnly
    ? answer.advertisers.filter(({ relation }) => relation === 'own')
    : answer.advertisers;
  if (advertisers.length > 0) return { ...answer, advertisers, adsMax: wanted.adsMax };
  const own = wanted.ownMapping?.(mapping) ?? mapping;
  const isReported = own.some(({ role }) => role === 'allow');
  return isReported ? { kind: 'none', matchedBy: 'mapping' } : { kind: 'no_match' };
}
