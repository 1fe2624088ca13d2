import type { AdDetails } from './ad-details.ts';

/** One rendering of a creative (docs/architecture/contract.md, 2.2, variant object). Sizes are pixels; null where the source gives none. */
export interface Variant {
  /** Markup of the creative as the source gave it. Untrusted: never render it unchanged. */
  readonly content: string;
  readonly height: number | null;
  readonly width: number | null;
}

/** The five fields of a shape-A ad (docs/architecture/contract.md, 2.2). Null where the source does not know one. */
export interface AdText {
  readonly headline: string | null;
  readonly description: string | null;
  readonly displayUrl: string | null;
  readonly finalUrl: string | null;
  readonly adType: string | null;
}

/**
 * An ad as a source reported it: the union of the contract's two shapes (docs/architecture/decisions/0012-union-of-response-shapes.md).
 *
 * A shape-B ad is identified by `(advertiserId, creativeId)`. A shape-A ad has neither: both are null, and its identity is the hash of its
 * five text fields.
 */
export interface Ad {
  /** Advertiser id with its platform (`src/core/companies/platform-id.ts`). Always text: leading zeros count. */
  readonly advertiserId: string | null;
  /** Creative id with the same platform. Always text: leading zeros count. */
  readonly creativeId: string | null;
  readonly advertiserName: string | null;
  /** Format label as the source gives it: `Text`, `Image`, `Video` or another, passed through. */
  readonly format: string | null;
  /** Link to the ad in a public ad-transparency listing. */
  readonly originalUrl: string | null;
  readonly variants: readonly Variant[];
  /** First day the ad was seen running, `YYYY-MM-DD`, UTC. */
  readonly start: string | null;
  /** Most recent day the ad was seen, `YYYY-MM-DD`, UTC. */
  readonly lastSeen: string | null;
  readonly text: AdText | null;
  /** Absent: the source says nothing beside the content. */
  readonly details?: AdDetails;
}

/**
 * Canonical public URL of an ad in Google's Ads Transparency Center, from ids without their platform. All sources use the same form, so that
 * exports can be compared.
 */
export function adPageUrl(advertiserId: string, creativeId: string): string {
  return `https://adstransparency.google.com/advertiser/${advertiserId}/creative/${creativeId}?region=anywhere`;
}
