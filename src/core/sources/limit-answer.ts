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
  /** `AdSource.ownMapping`; absent: the whole mapping. */
  readonly ownMapping?: AdSource['ownMapping'];
}

/**
 * Applies the options of a search to the answer of a source: removes ads of denied advertisers, sets the relation of the
 * others, and keeps only own ads and at most `adsMax` if requested.
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
      'The source returned only some of the ads, and none of them matches; the rest could not be loaded.',
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
