import type { Ad } from './ad.ts';
import type { CompanyQuery } from '../company.ts';

/** How a source knew which company was meant. */
export type MatchedBy = 'mapping' | 'domain' | 'name' | 'domain_label';

/**
 * What a source says about one company. Trouble is thrown, never answered: an answer is knowledge.
 *
 * `none` means "looked, there are none"; `no_match` means "could not tell which company". Neither may stand for a failure.
 */
export type AdsAnswer =
  | {
      readonly kind: 'found';
      readonly ads: readonly Ad[];
      readonly matchedBy: MatchedBy;
      /** What the source charged for the call, in its own credits, where it says so. */
      readonly sourceCharge?: number;
    }
  /** Found in Nightshift's own store: the ads of these advertisers, linked in the commit instead of travelling (DESIGN §4). */
  | { readonly kind: 'stored'; readonly advertiserKeys: readonly bigint[]; readonly matchedBy: MatchedBy }
  | { readonly kind: 'none'; readonly matchedBy: MatchedBy; readonly sourceCharge?: number }
  | { readonly kind: 'no_match'; readonly sourceCharge?: number };

/** One company to look up. */
export interface AdsQuestion {
  readonly company: CompanyQuery;
  /** Names this lookup at the source, so that a repeat is the same order there: sent as `Idempotency-Key`. */
  readonly requestKey: string;
}

/**
 * Where ads come from. Everything Nightshift knows about a source is stated here or in its answers.
 *
 * A `local` source answers a whole chunk in one go from Nightshift's own database; a `live` one is asked per company, under
 * its token bucket, and may charge for it.
 */
export type AdSource = LocalAdSource | LiveAdSource;

export interface LocalAdSource {
  readonly kind: 'local';
  readonly name: string;
  /** The snapshot whose ads a `stored` answer points at. */
  readonly snapshotId: number;
  /** One answer per company, in the order asked. */
  findAds(companies: readonly CompanyQuery[], signal: AbortSignal): Promise<readonly AdsAnswer[]>;
}

export interface LiveAdSource {
  readonly kind: 'live';
  readonly name: string;
  /** Names the credential whose token bucket paces the calls; carries no secret. */
  readonly bucket: string;
  /** The pace the source allows, or null for none. */
  readonly pace: SourcePace | null;
  /** The source honours `Idempotency-Key`: a call cut off in the middle may be sent again under the same key. */
  readonly idempotent: boolean;
  /**
   * The ads of one company.
   *
   * @throws SourceThrottled | SourceUnavailable | SourceRefused | SourceUnreadable
   */
  findAds(question: AdsQuestion, signal: AbortSignal): Promise<AdsAnswer>;
}

/** A pace: so many requests in a window, and how many may come at once after a rest. */
export interface SourcePace {
  readonly requestsPerSecond: number;
  /** Requests that may start at once after a rest; at least 1. */
  readonly burst: number;
}
