import type { AdRegion, Targeting } from './ad-details.ts';

/** An ad that the platform removed, with the decisions about it. */
export interface RemovedAd {
  readonly advertiserId: string;
  readonly creativeId: string;
  /** In the order of the source. */
  readonly disapprovals: readonly Disapproval[];
  readonly regions: readonly AdRegion[];
  readonly targeting: Targeting | null;
}

/** A decision of the platform to remove an ad. A field is null where the source does not say. */
export interface Disapproval {
  readonly removalReason: string | null;
  readonly violationCategory: string | null;
  /** True if automated means were used for the decision. */
  readonly isAutomated: boolean | null;
  /** Country, ISO 3166-1 alpha-2, or `GLOBAL`. */
  readonly removalLocation: string | null;
  readonly decisionType: string | null;
}
