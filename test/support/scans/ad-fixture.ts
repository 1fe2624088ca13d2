import type { ScanSettings } from './history.ts';

/** An ad of the fixture during its whole life. Days count from the first run; `false`, 0 and null are the normal case. */
export interface AdLifetime {
  readonly startDay: number;
  /** Days from its start to its first appearance in a listing. */
  readonly lagDays: number;
  /** Alternating numbers of days in the listing and out of it; after the last pair it is out for good. Empty: always in. */
  readonly spells: readonly (readonly [shownDays: number, hiddenDays: number])[];
  /** Number of days after its start on which the source last sees it, although it stays in the listing; null: no limit. */
  readonly seenDays: number | null;
  /** Days after its start at which its content changes. */
  readonly restyledAfter: readonly number[];
  /** True if its version differs in every run although its content does not, like a preview with a nonce. */
  readonly changesOften: boolean;
  readonly lacks: 'nothing' | 'start' | 'last_seen' | 'dates' | 'ids';
  readonly knownTo: 'all' | 'main' | 'other';
  /** True if its content differs in answers of the source `other`, with any options. */
  readonly hasTwoContents: boolean;
  /** True if it occurs a second time at the end of each answer, with its previous content and dates. */
  readonly isDoubled: boolean;
}

export type Extent = 'whole' | 'truncated' | 'partial' | 'truncated and partial';

/** Answer in a run: the whole listing or its first ads, nothing, or the answer of the previous run. */
export type RunAnswer =
  | { readonly kind: 'listing'; readonly extent: Extent; readonly adsMax: number }
  | { readonly kind: 'none' | 'no_match' | 'failed' | 'cancelled' | 'open' | 'again' };

export interface ScanRun {
  /** New settings of the schedule before this run; null: unchanged. */
  readonly edited: ScanSettings | null;
  /** True if no scan was made, as for a missed tick. */
  readonly isSkipped: boolean;
  /** Days since the previous run. */
  readonly gapDays: number;
  readonly hour: number;
  /** Sources in the order of the calls, at least one, each once: the first knows the listing, the others are called if it is empty. */
  readonly sources: readonly string[];
  /** Age of a local data set at this time. */
  readonly dataDays: number;
  /** Days before this day at which the ads of the other companies were seen, the first time by the first source; null: they have none. */
  readonly othersDays: number | null;
  readonly reported: RunAnswer;
  /** 0: the listing is sorted by day; otherwise the seed of its order. */
  readonly shuffle: number;
  /** Number of runs after which a failed run is retried, completely; null: never. */
  readonly retriedAfter: number | null;
}

/** Ads of a fixture, and the runs that observe them. */
export interface AdFixture {
  readonly ads: readonly AdLifetime[];
  readonly runs: readonly ScanRun[];
}
