import type { ScanSettings } from './history.ts';

/** An ad in the world, as its advertiser runs it. Days are counted from the first night; `false`, 0 and null are the ordinary case. */
export interface AdLifetime {
  readonly startDay: number;
  /** Days from its start to its first showing in any listing. */
  readonly lagDays: number;
  /** In turn so many days in the listing and so many out of it; after the last pair it stays away. Empty: it stays. */
  readonly spells: readonly (readonly [shownDays: number, hiddenDays: number])[];
  /** It is no longer seen from so many days after its start on, but stays in the listing. */
  readonly seenDays: number | null;
  /** So many days after its start its look changes. */
  readonly restyledAfter: readonly number[];
  /** Its version differs from night to night though it looks the same, as that of a preview with a nonce. */
  readonly changesOften: boolean;
  readonly lacks: 'nothing' | 'start' | 'last_seen' | 'dates' | 'ids';
  readonly knownTo: 'all' | 'main' | 'other';
  /** Looks otherwise in the answers of the source `other`, however it is asked. */
  readonly hasTwoContents: boolean;
  /** Comes a second time at the end of each answer, as it looked and was dated before. */
  readonly isDoubled: boolean;
}

export type Extent = 'whole' | 'truncated' | 'partial' | 'truncated and partial';

/** Answer in a run: all of the listing or its first so many ads, nothing at all, or the answer of the run before. */
export type RunAnswer =
  | { readonly kind: 'listing'; readonly extent: Extent; readonly adsMax: number }
  | { readonly kind: 'none' | 'no_match' | 'failed' | 'cancelled' | 'open' | 'again' };

export interface ScanRun {
  /** The schedule's numbers are changed to these before it. */
  readonly edited: ScanSettings | null;
  /** No scan was made, as of a tick that was missed. */
  readonly isSkipped: boolean;
  /** Since the night before. */
  readonly gapDays: number;
  readonly hour: number;
  /** In turn asked, at least one, each once: the first knows the listing, the others are asked where that is empty. */
  readonly sources: readonly string[];
  /** Age of a data set of our own by then. */
  readonly dataDays: number;
  /** Time before that day at which the other companies' ads were seen, the first time by the first source; null: they have none. */
  readonly othersDays: number | null;
  readonly reported: RunAnswer;
  /** 0: the listing is in the order of its days; else it is mixed up, each time otherwise. */
  readonly shuffle: number;
  /** A night that failed is tried again after so many further nights, and whole; null: never. */
  readonly retriedAfter: number | null;
}

/** Ads of a fixture, and the runs that observe them. */
export interface AdFixture {
  readonly ads: readonly AdLifetime[];
  readonly runs: readonly ScanRun[];
}
