import type { ShownIn } from '../ads/ads-answer.ts';
import type { Ad } from '../ads/ad.ts';
import type { AdDetails } from '../ads/ad-details.ts';
import type { Disapproval } from '../ads/disapproval.ts';
import type { CompanyMapping, MappedAdvertiser } from '../companies/company-mapping.ts';

/** The two local data sets of ads. `sample` is generated and used only if it is named (docs/architecture/concepts.md). */
export type SnapshotName = 'snapshot' | 'sample';

/** One creative as Nightshift stores it, read from one row of an export of Google's `creative_stats` or `removed_creative_stats`. */
export interface SnapshotRow {
  /** `AR` and 20 digits. Text, always: leading zeros count. */
  readonly advertiserId: string;
  /** `CR` and 20 digits. Text, always: leading zeros count. */
  readonly creativeId: string;
  /** The disclosed name, else the legal name. */
  readonly advertiserName: string | null;
  readonly disclosedName: string | null;
  readonly legalName: string | null;
  /** Country of the advertiser in the export, an ISO code. */
  readonly location: string | null;
  /** `Text`, `Image` or `Video`; unknown labels are passed through. */
  readonly format: string | null;
  /** The earliest day in any region, `YYYY-MM-DD`. The data set starts with 2023-03-01, which means "then or before". */
  readonly start: string | null;
  /** The latest day in any region, `YYYY-MM-DD`. */
  readonly lastSeen: string | null;
  /** The other columns; null if the row has none of them. */
  readonly details: AdDetails | null;
  /** Decisions about an ad that was removed; null for an ad that was not. A removed ad is no ad of the data set, and is found by no search. */
  readonly disapprovals: readonly Disapproval[] | null;
  /** Texts and renderings, which exports do not have. Absent: none. */
  readonly content?: Pick<Ad, 'text' | 'variants'>;
}

/** A loaded data set. */
export interface Snapshot {
  readonly id: number;
  readonly name: SnapshotName;
  /** True for the generated data set: its ads are marked as generated everywhere. */
  readonly isGenerated: boolean;
  /** Time at which the last load was committed. */
  readonly loadedAt: Date;
  /** Newest day of which rows were loaded, `YYYY-MM-DD`. */
  readonly asOf: string | null;
  /** True if the regions of some ads are known; a search by region needs it. In the same way for surfaces. */
  readonly hasRegions: boolean;
  readonly hasSurfaces: boolean;
}

/** Result of one load. */
export interface SnapshotLoad {
  readonly snapshotId: number;
  /** Rows read. */
  readonly rows: number;
  /** Rows that repeat an ad of the same load (the export's shards overlap). */
  readonly duplicates: number;
  /** Distinct ads in the load. */
  readonly ads: number;
  /** Number of ads that are new in the snapshot. */
  readonly adsNew: number;
  /** Number of ads that were in the snapshot with other content or other dates. */
  readonly adsChanged: number;
  /** Distinct advertisers in the load. */
  readonly advertisers: number;
  /** Distinct removed ads in the load. */
  readonly removedAds: number;
  /** Day of the export, `YYYY-MM-DD`. */
  readonly asOf: string;
}

/** Keys for finding the advertisers of a company in a snapshot. */
export interface CompanyKeys {
  /** The operator's mapping of the company. */
  readonly mapping: CompanyMapping;
  /** Words of which an advertiser has at least one (`companyWords`); empty if the operator has mapped the company's advertisers. */
  readonly words: readonly string[];
  /** Normalised spellings of its name; empty without a name. */
  readonly nameKeys: readonly string[];
  /** Compact spellings of its domain's label; empty without a domain. */
  readonly labelKeys: readonly string[];
}

/** An advertiser of a snapshot. */
export interface SnapshotAdvertiser {
  readonly key: bigint;
  readonly advertiserId: string;
  readonly disclosedName: string | null;
  readonly legalName: string | null;
  /** Country, an ISO code. */
  readonly location: string | null;
  /** Number of its ads in the snapshot. */
  readonly adsCount: number;
}

/** Everything in a snapshot that may belong to one company; the source decides what counts. */
export interface AdvertiserCandidates {
  /** Mapped advertisers; `advertiserKey` is null if the snapshot does not contain the advertiser. */
  readonly mapped: readonly {
    readonly role: MappedAdvertiser['role'];
    readonly advertiserKey: bigint | null;
  }[];
  /** The advertisers that share a word with it, in the order of their keys. */
  readonly advertisers: readonly SnapshotAdvertiser[];
  /** True if more than `candidatesMax` share one: then only those whose whole name is the company's, or its domain's label. */
  readonly isBounded: boolean;
}

/** Maximum number of advertisers that are compared with a company. */
export const candidatesMax = 500;

/** Progress and cancellation of a load. */
export interface SnapshotLoadOptions {
  /** Day of the export, `YYYY-MM-DD`; null or absent: today, UTC. */
  readonly asOf?: string | null | undefined;
  /** True if the rows are all ads of the data set: an ad that they do not have leaves it. Default false. */
  readonly isWhole?: boolean;
  /** Called with the reason, such as `a purge is deleting unused ads`, before the load waits for another process. */
  readonly onWait?: ((reason: string) => void) | undefined;
  /** Aborts the load and its statements. */
  readonly signal?: AbortSignal | undefined;
}

/** Port: the local data sets of ads. */
export interface SnapshotStore {
  /** The data set of that name; null if none is loaded. */
  find(name: SnapshotName): Promise<Snapshot | null>;
  /** The day of the database's clock, UTC, `YYYY-MM-DD`: the newest day that a load may have. */
  today(): Promise<string>;
  /**
   * Adds rows to a data set, all or nothing: if `rows` throws, nothing of the load is kept.
   *
   * A load adds and updates, and removes nothing unless it is whole, because an export comes in shards: an ad that is missing from a later load
   * stays. Its days widen (earliest start, latest last seen). Its content, and an advertiser's names, are those of the row with
   * the latest day, the later row among equals; so shards may come in any order, and repeating a load changes nothing.
   * Observations of earlier lookups do not change.
   *
   * The details of an ad are those of the same row, if it has any; the record keeps the earlier ones with their days. A later load of one day
   * replaces the details of the earlier one.
   *
   * @throws ValidationError for a day before that of the newest load, or in the future: the details of a day are those of the loads until then.
   * @throws the signal's reason when it aborts. Nothing of the load is kept then.
   */
  load(
    name: SnapshotName,
    rows: AsyncIterable<readonly SnapshotRow[]>,
    options?: SnapshotLoadOptions,
  ): Promise<SnapshotLoad>;
  /** Filters advertisers to those with an ad shown there, by its current details. */
  findShown(name: SnapshotName, keys: readonly bigint[], shownIn: ShownIn): Promise<ReadonlySet<bigint>>;
  /** The candidates for each company, in the given order. */
  findCandidates(
    snapshotId: number,
    companies: readonly CompanyKeys[],
  ): Promise<readonly AdvertiserCandidates[]>;
}
