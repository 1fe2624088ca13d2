import type { Ad } from '../../core/ads/ad.ts';

/**
 * Removes repeated ads and keeps the order: pages may overlap while ads come and go. Shape-A ads have no ids and are all kept;
 * the store compares them.
 */
export function distinctAds(ads: readonly Ad[]): readonly Ad[] {
  const seen = new Set<string>();
  return ads.filter(({ advertiserId, creativeId }) => {
    if (advertiserId === null || creativeId === null) return true;
    const identity = JSON.stringify([advertiserId, creativeId]);
    const isNew = !seen.has(identity);
    seen.add(identity);
    return isNew;
  });
}
