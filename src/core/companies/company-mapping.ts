import type { Actor } from '../accounts/key-store.ts';
import { google, platformOf } from './platform-id.ts';

/**
 * Role of an advertiser for a company: `allow`, its own; `agency`, one that advertises for it; `deny`, unrelated, whatever its
 * name or its ads suggest.
 */
export const advertiserRoles = ['allow', 'agency', 'deny'] as const;
export type AdvertiserRole = (typeof advertiserRoles)[number];

export interface MappedAdvertiser {
  /** Advertiser id with its platform, such as `google:AR…` or `meta:123`. Always text: leading zeros count. */
  readonly advertiserId: string;
  readonly role: AdvertiserRole;
}

/** An account's mapping of one company to its advertisers; empty without one. It precedes every other rule. */
export type CompanyMapping = readonly MappedAdvertiser[];

/**
 * The advertisers of a mapping on one platform. Its sources do not know those of other platforms: their absence there says nothing about
 * the company.
 */
export function mappingOn(platform: string, mapping: CompanyMapping): CompanyMapping {
  return mapping.filter(({ advertiserId }) => platformOf(advertiserId) === platform);
}

/** The advertisers of a mapping that are Google's. */
export function googleMapping(mapping: CompanyMapping): CompanyMapping {
  return mappingOn(google, mapping);
}

/** One advertiser of one company. */
export interface MappingEntry extends MappedAdvertiser {
  /** `CompanyQuery.key`. */
  readonly companyKey: string;
  /** A note for people. Null keeps the current note, an empty text removes it. */
  readonly note: string | null;
}

export interface ListedMapping extends MappingEntry {
  /** Time at which a person last confirmed the entry, by the database clock. */
  readonly checkedAt: Date;
}

/** Position in the list of a mapping: entries after it come next. */
export type MappingPosition = Pick<MappingEntry, 'companyKey' | 'advertiserId'>;

/** Entries of a mapping to list or count. Default: all of the account. */
export interface MappingFilter {
  /** Only those of this company. */
  readonly companyKey?: string | undefined;
  /** Only those with this role. */
  readonly role?: AdvertiserRole | undefined;
  /** Words that must all occur in company, advertiser id or note, regardless of case. */
  readonly words?: readonly string[];
}

/** Part of the list of a mapping. */
export interface MappingsWanted extends MappingFilter {
  /** Default: from the beginning. */
  readonly after?: MappingPosition | undefined;
  /** Maximum number of entries. Default: all. */
  readonly limit?: number;
}

/** Port: the mapping of companies to advertisers, per account. Each change and its entries in the audit log are one transaction. */
export interface CompanyMappingStore {
  /** Finds mappings by company key, in one query; companies without a mapping are absent. */
  find(accountId: number, companyKeys: readonly string[]): Promise<ReadonlyMap<string, CompanyMapping>>;
  /**
   * Maps advertisers, all or none. An advertiser that is already mapped gets the new role and counts as checked again. The last
   * of several entries for the same advertiser of a company applies. Returns the number of new entries.
   */
  map(accountId: number, entries: readonly MappingEntry[], by: Actor): Promise<{ readonly added: number }>;
  /** Removes these advertisers from a company's mapping, or all of them (`null`). Returns the removed entries. */
  remove(
    accountId: number,
    companyKey: string,
    advertiserIds: readonly string[] | null,
    by: Actor,
  ): Promise<CompanyMapping>;
  /**
   * Marks a company as one that no known advertiser is, or removes the mark: it does not wait for a decision then. Lookups are not affected. A
   * change of its mapping removes the mark.
   */
  dismiss(accountId: number, companyKey: string, isDismissed: boolean, by: Actor): Promise<void>;
  /** Lists entries by company key and advertiser id. */
  list(accountId: number, wanted?: MappingsWanted): Promise<readonly ListedMapping[]>;
  count(accountId: number, filter?: MappingFilter): Promise<number>;
}
