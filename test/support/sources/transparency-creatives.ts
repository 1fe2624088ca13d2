/** A creative in the format of the service, and where it was shown. */
export interface StandInCreative {
  readonly row: Readonly<Record<string, unknown>>;
  readonly advertiserId: string;
  readonly domain: string;
  /** Geo targets. */
  readonly shownIn: readonly number[];
}

/** Synthetic advertisers of one company, and the number of 40 creatives of each. */
const shares = [34, 5, 1];

export function advertiserIdOf(company: number, nth: number): string {
  return `AR${String(company * 10 + nth).padStart(20, '0')}`;
}

/**
 * A company's creatives, the most recently shown first, in the proportions of a recorded page of 40: 29 text ads shown as
 * pictures and 7 by a script, 3 image ads and 1 video shown by a script; three advertisers with 34, 5 and 1 of them. Everything
 * in them is synthetic. Every second one was shown in the United States, all in Germany.
 */
export function creativesOf(company: number, domain: string, count: number): readonly StandInCreative[] {
  return Array.from({ length: count }, (_, i) => {
    const nth = (i * 7) % 40;
    const advertiserId = advertiserIdOf(company, advertiserAt(nth));
    const id = `CR${String(company * 100_000 + i).padStart(20, '0')}`;
    const row = {
      1: advertiserId,
      2: id,
      3: previewAt(nth, company * 100_000 + i),
      4: formatAt(nth),
      6: { 1: String(1_700_000_000 - i * 9_000), 2: 935_431_000 },
      7: { 1: String(1_782_991_153 - i * 5_000), 2: 839_899_000 },
      12: ['Example Retail BV', 'Example, Inc.', '유한회사 이그잼플'][advertiserAt(nth)],
      13: 864 - (i % 800),
    };
    return { row, advertiserId, domain, shownIn: i % 2 === 0 ? [2276, 2840] : [2276] };
  });
}

function advertiserAt(nth: number): number {
  if (nth < (shares[0] ?? 0)) return 0;
  return nth < 39 ? 1 : 2;
}

function formatAt(nth: number): number {
  if (nth < 36) return 1;
  return nth < 39 ? 2 : 3;
}

function previewAt(nth: number, asset: number): object {
  if (nth >= 29)
    return {
      1: {
        4: `https://displayads-formats.googleusercontent.com/ads/preview/content.js?creativeId=${asset}&sig=AC${asset}&htmlParentId=fletch-render-${asset}&responseCallback=fletchCallback${asset}`,
      },
    };
  const source = `https://tpc.googlesyndication.com/archive/simgad/${String(asset).padStart(16, '7')}`;
  const image = { 3: { 2: `<img src="${source}" height="${200 + nth}" width="380">` } };
  return nth % 4 === 0 ? image : { ...image, 5: true };
}
