import type { Database } from '../../../db/connection/client.ts';
import type { AdLifetime, HistoryTexts } from './ad-lives.ts';

/** Number of runs of a history. */
export const runs = 30;

/** On the first day no dispatcher was running; on the second the previous scan was still running. */
export const runsWithoutScan: ReadonlyMap<
  number,
  { readonly state: 'missed' | 'skipped'; readonly reason: string }
> = new Map([
  [11, { state: 'missed', reason: 'no dispatcher was running' }],
  [17, { state: 'skipped', reason: 'the scan before still ran' }],
]);

/** Scanned companies: a domain and a name each. */
export const scanned = [
  ['nike.com', 'Nike'],
  ['adidas.com', 'adidas AG'],
  ['puma.com', 'PUMA SE'],
  ['newbalance.com', 'New Balance'],
  ['asics.com', 'ASICS'],
  ['on.com', 'On'],
  ['hoka.com', 'HOKA'],
] as const;

/** About the last of them nothing can be read in the last night. */
export const isFailed = (run: number, company: number): boolean =>
  run === runs - 1 && company === scanned.length - 1;

/** The tick of a night, and so many minutes later: 2 o'clock in Berlin, in winter. */
export function momentOf(run: number, minutes = 0): Date {
  return new Date(Date.UTC(2026, 0, 5 + run, 1, minutes));
}

/** The UTC day of a night. */
export function dayOf(run: number): string {
  return momentOf(run).toISOString().slice(0, 10);
}

/** True when an ad is seen by the scan of a run. */
export function runsOn({ begins, ends }: AdLifetime, run: number): boolean {
  return begins <= run && (ends === null || run < ends);
}

/** The connections and ids that writing a history needs. */
export interface HistoryTarget {
  readonly db: Database['sql'];
  readonly accountId: number;
  readonly scheduleId: number;
  readonly texts: HistoryTexts;
  readonly companies: readonly { readonly key: string; readonly domain: string; readonly name: string }[];
}

/** A scan as it was stored. */
export interface StoredScan {
  readonly id: bigint;
  readonly run: number;
  /** Null where it made none. */
  readonly batch: string | null;
  readonly lookups: readonly bigint[];
}

/** An ad as it was stored, with the versions of it. */
export interface StoredAd {
  readonly adId: bigint;
  readonly versions: readonly bigint[];
}
