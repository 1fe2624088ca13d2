import type { RowRange } from '../rows/row-ranges.ts';
import type { MappedAdvertiser } from './company-mapping.ts';

/**
 * State of a company that no source has identified: `mapped`, mapped since to an advertiser that is its own or its agency's, so that it can be
 * looked up again; `denied`, dismissed, or mapped only to advertisers that are not it; else `open`.
 */
export const unidentifiedStates = ['open', 'mapped', 'denied'] as const;
export type UnidentifiedState = (typeof unidentifiedStates)[number];

/** A company of a batch that no source has identified. */
export interface UnidentifiedCompany {
  /** `CompanyQuery.key`. */
  readonly companyKey: string;
  readonly domain: string | null;
  /** Name as in the file; null without one. */
  readonly name: string | null;
  readonly state: UnidentifiedState;
  /** End of its lookup. */
  readonly endedAt: Date;
  /** The first row of the company: its number and its line, from 1, and its cells in the order of the file. */
  readonly row: { readonly rowNo: number; readonly lineNo: number; readonly cells: readonly string[] } | null;
  /** True when a person decided that no known advertiser is the company. */
  readonly isDismissed: boolean;
  /** Advertisers that it is mapped to now. */
  readonly mapping: readonly MappedAdvertiser[];
}

/** Number of companies by state. */
export type UnidentifiedCounts = Readonly<Record<UnidentifiedState, number>>;

/** Part of the list of a batch. */
export interface UnidentifiedWanted {
  /** Only those in this state. */
  readonly state?: UnidentifiedState | undefined;
  /** Only companies of these rows. Default: all rows. */
  readonly rows?: readonly RowRange[] | undefined;
  /** Key of the last company of the page before. Default: from the beginning. */
  readonly after?: string | undefined;
  /** Maximum number of companies. */
  readonly limit: number;
}

/** Port: the companies of a batch that no source has identified. A lookup that a retry replaced does not count. */
export interface UnidentifiedStore {
  /** Lists them by company key. */
  list(batchId: number, wanted: UnidentifiedWanted): Promise<readonly UnidentifiedCompany[]>;
  count(batchId: number): Promise<UnidentifiedCounts>;
  /** Lists the advertisers of the companies in the state `mapped`, without denied ones, each once. */
  listMappedAdvertisers(batchId: number): Promise<readonly string[]>;
  /** Names of the columns of the batch's file, in order. */
  readColumns(batchId: number): Promise<readonly string[]>;
}
