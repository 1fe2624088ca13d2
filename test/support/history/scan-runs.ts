import type { Database } from '../../../db/connection/client.ts';
import type { AdLifetime, HistoryTexts } from './ad-lives.ts';

/** Number of runs of a history. */
export const runs = 30;

/** Runs without a scan: on the first day no dispatcher was running; on the second the previous scan was still running. */
export const runsWithoutScan: ReadonlyMap<
  number,
  { readonly state: 'missed' | 'skipped'; readonly reason: string }
> = new Map([
  [11, { state: 'missed', reason: 'no dispatcher was running' }],
  [17, { state: 'skipped', reason: 'the scan before still ran' }],
]);

/** Scanned companies, each with a domain and a name. */
export const scanned = [
  ['nike.com', 'Nike'],
  ['adidas.com', 'adidas AG'],
  ['puma.com', 'PUMA SE'],
  ['newbalance.com', 'New Balance'],
  ['asics.com', 'ASICS'],
  ['on.com', 'On'],
  ['hoka.com', 'HOKA'],
] as const;

/** The source cannot be read for the last company in the last run. */
export const isFailed = (run: number, company: number): boolean =>
  run === runs - 1 && company === scanned.length - 1;

/** Tick of a run plus a number of minutes: 2 o'clock in Berlin, in winter. */
export function momentOf(run: number, minutes = 0): Date {
  return new Date(Date.UTC(2026, 0, 5 + run, 1, minutes));
}

/** UTC day of a run. */
export function dayOf(run: number): string {
  return momentOf(run).toISOString().slice(0, 10);
}

/** True if the scan of a run sees the ad. */
export function runsOn({ begins, ends }: AdLifetime, run: number): boolean {
  return begins <= run && (ends === null || run < ends);
}

/** Connections and ids for writing a history. */
export interface HistoryTarget {
  readonly db: Database['sql'];
  readonly accountId: number;
  readonly scheduleId: number;
  readonly texts: HistoryTexts;
  readonly companies: readonly { readonly key: string; readonly domain: string; readonly name: string }[];
}

/** A stored scan. */
export interface StoredScan {
  readonly id: bigint;
  readonly run: number;
  /** Batch of the scan; null if the run had none. */
  readonly batch: string | null;
  readonly lookups: readonly bigint[];
}

/** A stored ad with its versions. */
export interface StoredAd {
  readonly adId: bigint;
  readonly versions: readonly bigint[];
}
