import type { ResultFilter } from './result-filter.ts';
import type { AdKey } from '../ads/ad-key.ts';
import type { Ad } from '../ads/ad.ts';

/** An ad as one lookup found it. */
export interface SeenAd {
  readonly key: AdKey;
  readonly lookupId: bigint;
  /** Position among the ads of its lookup, from 1. */
  readonly position: number;
  /** The batch of the lookup; null for a single search. */
  readonly batch: string | null;
  /** The row of the batch, in a list of one batch. */
  readonly rowNo: number | null;
  readonly companyDomain: string | null;
  readonly companyName: string | null;
  readonly source: string | null;
  /** Time at which the source reported the ad. */
  readonly observedAt: Date;
  readonly ad: Ad;
}

/** Filter of ads; null: any. Filters of rows apply to a batch. */
export interface AdFilter extends ResultFilter {
  /** A batch, by its public id. */
  readonly batch: string | null;
}

/** Position in a list of ads: an ad of a lookup, or of a row in the list of one batch. */
export type AdPlace =
  | { readonly kind: 'lookup'; readonly lookupId: bigint; readonly position: number }
  | { readonly kind: 'row'; readonly rowNo: number; readonly position: number };

/** Port: the ads that the lookups of an account found. */
export interface AdList {
  /**
   * Lists ads, newest lookup first. The ads of one batch follow the order of its rows, once for each row that names the
   * company.
   *
   * @throws NotFound when the account has no such batch.
   */
  list(
    accountId: number,
    filter: AdFilter,
    page: { readonly limit: number; readonly after: AdPlace | null },
  ): Promise<readonly SeenAd[]>;
}

/** Position of an ad in a list. */
export function placeOf({ rowNo, lookupId, position }: SeenAd): AdPlace {
  return rowNo === null ? { kind: 'lookup', lookupId, position } : { kind: 'row', rowNo, position };
}
