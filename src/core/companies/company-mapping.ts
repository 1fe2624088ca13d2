import type { Actor } from '../accounts/key-store.ts';
import { isGoogleAdvertiserId } from './advertiser-id.ts';

/**
 * Role of an advertiser for a company: `allow`, its own; `agency`, one that advertises for it; `deny`, unrelated, whatever its name or its
 * ads look like.
 */
export const advertiserRoles = ['allow', 'agency', 'deny'] as const;
export type AdvertiserRole = (typeof advertiserRoles)[number];

export interface MappedAdvertiser {
  /** Advertiser id, always text: leading zeros count. */
  readonly advertiserId: string;
  readonly role: AdvertiserRole;
}

/** The operator's mapping of one company to its advertisers; empty where nothing is mapped. It comes before every other rule. */
export type CompanyMapping = readonly MappedAdvertiser[];

/**
 * The advertisers of a mapping that can be Google's, and so what a source of Google's ads knows of it. Those of other networks are
 * unknown there: that they have no ads in it tells nothing of the company.
 */
export function googleMapping(mapping: CompanyMapping): CompanyMapping {
  return mapping.filter(({ advertiserId }) => isGoogleAdvertiserId(advertiserId));
}

/** One advertiser of one company. */
export interface MappingEntry extends MappedAdvertiser {
  /** `CompanyQuery.key`. */
  readonly companyKey: string;
  /** A remark for people. Null leaves the remark that is there, an empty text takes it away. */
  readonly note: string | null;
}

export interface ListedMapping extends MappingEntry {
  /** When the operator last said so, by the database's clock. */
  readonly checkedAt: Date;
}

/** Port: the mapping of companies to advertisers, each account's own. Each change is one transaction with its entries in the audit log. */
export interface CompanyMappingStore {
  /** Finds mappings by company key, in one query; companies without a mapping are absent. */
  find(accountId: number, companyKeys: readonly string[]): Promise<ReadonlyMap<string, CompanyMapping>>;
  /**
   * Maps advertisers, all or none. One that is mapped already takes the new role and counts as checked anew. Of entries that name the
   * same advertiser of the same company the last one holds. Answers how many were not mapped before.
   */
  map(accountId: number, entries: readonly MappingEntry[], by: Actor): Promise<{ readonly added: number }>;
  /** Takes these advertisers from a company's mapping, or all of them (`null`). Answers what was mapped. */
  remove(
    accountId: number,
    companyKey: string,
    advertiserIds: readonly string[] | null,
    by: Actor,
  ): Promise<CompanyMapping>;
  /** Lists the mappings of one company or of all, by company key and advertiser id. */
  list(accountId: number, companyKey?: string): Promise<readonly ListedMapping[]>;
}
