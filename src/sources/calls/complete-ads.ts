import type { Ad, AdText, Variant } from '../../core/ads/ad.ts';
import { noDetails, type AdDetails } from '../../core/ads/ad-details.ts';
import type { AdsAnswer } from '../../core/ads/ads-answer.ts';
import { detailsOf } from '../../core/ads/known-details.ts';
import type { CompanyMapping } from '../../core/companies/company-mapping.ts';
import { platformId } from '../../core/companies/platform-id.ts';
import { orError } from './collect-pages.ts';

/** Result of a call about one ad. */
export interface AdDetail {
  readonly variants: readonly Variant[];
  readonly text: AdText | null;
  /** Statements of the reply beside the content. */
  readonly beside: Partial<AdDetails>;
}

/** Ids of an ad that has both, as its platform writes them. */
export interface AdIds {
  readonly advertiserId: string;
  readonly creativeId: string;
}

export interface DetailBounds {
  /** Maximum number of ads that are called about; each is a call. */
  readonly detailsMax: number;
  /** Number of ads that the lookup keeps; null: all. */
  readonly adsMax: number | null;
  /** Ads of denied advertisers are left out of the answer, and not called about. */
  readonly mapping: CompanyMapping;
  /** `SourceCallExecutor.comesBack`. */
  readonly comesBack: boolean;
}

/**
 * Completes the first ads without a picture by one call about each, one after the other. What the list said about an ad takes precedence.
 *
 * An error of such a call keeps all ads as they are, and ends the calls about them: the search itself has succeeded, and the answer is
 * complete. A transient error is thrown if the lookup is retried (`orError`).
 */
export async function completeAds(
  answer: AdsAnswer,
  { detailsMax, adsMax, mapping, comesBack }: DetailBounds,
  readDetail: (ids: AdIds) => Promise<AdDetail>,
): Promise<AdsAnswer> {
  if (answer.kind !== 'found' || detailsMax === 0) return answer;
  const denied = new Set(
    mapping.flatMap(({ advertiserId, role }) => (role === 'deny' ? [advertiserId] : [])),
  );
  const shells = answer.ads
    .slice(0, adsMax ?? answer.ads.length)
    .filter(({ variants, advertiserId }) => variants.length === 0 && !denied.has(advertiserId ?? ''))
    .slice(0, detailsMax);
  const completed = new Map<Ad, Ad>();
  for (const ad of shells) {
    const { advertiserId, creativeId } = ad;
    if (advertiserId === null || creativeId === null) continue;
    const detail = await orError(
      readDetail({ advertiserId: platformId(advertiserId), creativeId: platformId(creativeId) }),
      { hasAds: true, comesBack },
    );
    if (detail === null) break;
    completed.set(ad, withDetail(ad, detail));
  }
  return { ...answer, ads: answer.ads.map((ad) => completed.get(ad) ?? ad) };
}

function withDetail(ad: Ad, { variants, text, beside }: AdDetail): Ad {
  const { details = noDetails } = ad;
  return {
    ...ad,
    variants: distinctVariants(variants),
    text: ad.text ?? text,
    ...detailsOf({
      ...details,
      previewUrl: details.previewUrl ?? beside.previewUrl ?? null,
      payer: details.payer ?? beside.payer ?? null,
      regions: details.regions.length > 0 ? details.regions : (beside.regions ?? []),
    }),
  };
}

/** Sources repeat the same picture for each variation of the texts around it. */
function distinctVariants(variants: readonly Variant[]): readonly Variant[] {
  const seen = new Set<string>();
  return variants.filter(({ content }) => {
    const isNew = !seen.has(content);
    seen.add(content);
    return isNew;
  });
}
