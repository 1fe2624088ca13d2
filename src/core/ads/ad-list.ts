import type { Ad } from './ad.ts';

/** An ad as one lookup saw it. */
export interface SeenAd {
  readonly lookupId: bigint;
  /** Where it stood among the ads of its lookup, from 1. */
  readonly position: number;
  /** The batch it was looked up for; null for a single search. */
  readonly batch: string | null;
  readonly companyDomain: string | null;
  readonly companyName: string | null;
  readonly source: string | null;
  /** When the source said it. */
  readonly observedAt: Date;
  readonly ad: Ad;
}

/** Which ads are wanted; what is null is not asked for. */
export interface AdFilter {
  /** Key of a company: `CompanyQuery.key`. */
  readonly companyKey: string | null;
  readonly advertiserId: string | null;
  /** Compared without regard to case. */
  readonly format: string | null;
  /** Seen by its source on this day or later, `YYYY-MM-DD`. */
  readonly seenSince: string | null;
}

/** Where a page ended. */
export type AdCursor = Pick<SeenAd, 'lookupId' | 'position'>;

/** Port: the ads that the lookups of an account found, the newest lookup first. */
export interface AdList {
  list(
    accountId: number,
    filter: AdFilter,
    page: { readonly limit: number; readonly after: AdCursor | null },
  ): Promise<readonly SeenAd[]>;
}
