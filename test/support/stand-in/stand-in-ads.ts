import { createHash } from 'node:crypto';
import type { AdDetailsJson } from '../../../src/core/ads/ad-details-json.ts';

/** An ad of the stand-in with the fields of both contract shapes. `toWireAd` selects those of one. */
export interface StandInAd {
  readonly advertiser_id: string;
  readonly creative_id: string;
  readonly original_url: string;
  readonly variants: readonly {
    readonly content: string;
    readonly height: number | null;
    readonly width: number | null;
  }[];
  readonly start: string;
  readonly last_seen: string;
  readonly advertiser_name: string;
  readonly format: string;
  readonly headline: string;
  readonly description: string;
  readonly display_url: string;
  readonly final_url: string;
  readonly ad_type: string;
  readonly details?: AdDetailsJson;
}

/** Shape A, shape B, or the union of both that Nightshift itself returns. */
export type WireShape = 'A' | 'B' | 'union';

const shapeAKeys = ['headline', 'description', 'display_url', 'final_url', 'ad_type'];

/**
 * Generates the ads of a company from a hash of its domain or name: the same ones in every process with this seed.
 *
 * About 70 % of companies have 1 to 8 ads of 1 or 2 variants each, the others none.
 */
export function generateAds(company: string, seed: number): readonly StandInAd[] {
  const random = numbersOf(`${seed}|${company}`);
  if (random(10) >= 7) return [];
  const advertiserId = `AR${digits(random)}`;
  return Array.from({ length: 1 + random(8) }, () => generateAd(company, advertiserId, random));
}

/** Formats an answer of the contract, free without ads and 0.2 credits otherwise (docs/architecture/contract.md, 2.2 and 8). */
export function toWireAnswer(
  company: string,
  ads: readonly StandInAd[],
  shape: WireShape,
): Record<string, unknown> {
  return {
    ...(shape === 'B' ? {} : { company_name: company }),
    ...(shape === 'A' ? {} : { ads_count: ads.length }),
    ads: ads.map((ad) => toWireAd(ad, shape)),
    credits_consumed: ads.length > 0 ? 0.2 : 0,
    message: ads.length > 0 ? 'Ads found.' : 'No ads found for this company.',
  };
}

function toWireAd(ad: StandInAd, shape: WireShape): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(ad).filter(([key]) => shape === 'union' || shapeAKeys.includes(key) === (shape === 'A')),
  );
}

function generateAd(company: string, advertiserId: string, random: (below: number) => number): StandInAd {
  const creativeId = `CR${digits(random)}`;
  return {
    advertiser_id: advertiserId,
    creative_id: creativeId,
    original_url: `https://adstransparency.google.com/advertiser/${advertiserId}/creative/${creativeId}?region=anywhere`,
    variants: Array.from({ length: 1 + random(2) }, () => generateVariant(random)),
    start: `2023-0${1 + random(9)}-1${random(10)}`,
    last_seen: `2025-0${1 + random(9)}-2${random(9)}`,
    // Its own name: an ad of an advertiser that may be another business would be no match.
    advertiser_name: company,
    format: ['Text', 'Image', 'Video'][random(3)] ?? 'Text',
    headline: `${company} offer ${random(1000)}`,
    description: `Made for tests, number ${random(1_000_000)}`,
    display_url: company,
    final_url: `https://${encodeURIComponent(company)}/landing/${random(1000)}`,
    ad_type: 'text',
  };
}

function generateVariant(random: (below: number) => number): StandInAd['variants'][number] {
  const [height, width] = [50 + random(600), 50 + random(600)];
  const image = `https://tpc.googlesyndication.com/archive/simgad/${digits(random)}`;
  return { content: `<img src="${image}" height="${height}" width="${width}">`, height, width };
}

/** A seeded generator of integers below a bound: SHA-256 of the seed and a counter. */
export function numbersOf(seed: string): (below: number) => number {
  let count = 0;
  return (below) => createHash('sha256').update(`${seed}|${count++}`).digest().readUInt32BE() % below;
}

function digits(random: (below: number) => number): string {
  return Array.from({ length: 20 }, () => random(10)).join('');
}
