import type { Ad } from './ad.ts';

/** Adds to stored ads the details of the same ads as a source just reported them. Ads that already have details keep them. */
export function addDetails(stored: readonly Ad[], reported: readonly Ad[]): readonly Ad[] {
  const detailsByKey = new Map(
    reported.flatMap((ad) => (ad.details === undefined ? [] : [[keyOf(ad), ad.details] as const])),
  );
  if (detailsByKey.size === 0) return stored;
  return stored.map((ad) => {
    const details = ad.details ?? detailsByKey.get(keyOf(ad));
    return details === undefined ? ad : { ...ad, details };
  });
}

/** Ids of an ad; an ad without them is identified by its texts. */
function keyOf({ advertiserId, creativeId, text }: Ad): string {
  const hasIds = advertiserId !== null && creativeId !== null;
  return JSON.stringify(hasIds ? [advertiserId, creativeId] : text);
}
