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
