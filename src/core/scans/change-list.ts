import type { Since } from '../read-since.ts';
import type { ChangeKind, ChangeReason } from './ad-change.ts';

/** A change as it stands on record, with the ad as it looked then. Days are `YYYY-MM-DD`, UTC. */
export interface ListedChange {
  readonly scanId: bigint;
  readonly adId: bigint;
  /** Key of the company: `CompanyQuery.key`; and how the list of that scan named it, as far as that is still known. */
  readonly companyKey: string;
  readonly companyDomain: string | null;
  readonly companyName: string | null;
  /** The schedule by name and by public id, and the scan by public id. */
  readonly schedule: string;
  readonly scheduleId: string;
  readonly scan: string;
  /** The tick that the scan was for. */
  readonly dueAt: Date;
  readonly kind: ChangeKind;
  readonly reason: ChangeReason | null;
  readonly advertiserId: string | null;
  readonly creativeId: string | null;
  readonly advertiserName: string | null;
  readonly format: string | null;
  readonly headline: string | null;
  readonly originalUrl: string | null;
  readonly versionId: bigint;
  readonly versionBefore: bigint | null;
  readonly isActive: boolean;
  /** See `AdChange`. */
  readonly ranFrom: string | null;
  readonly ranTo: string | null;
  /** Public ids of the scans it rests on, the oldest first. */
  readonly restsOn: readonly string[];
  /** When the source said it, and when it became known here. */
  readonly observedAt: Date;
  readonly createdAt: Date;
}

/** Which changes are wanted; what is null is not asked for. */
export interface ChangeFilter {
  /** Name or public id; one that was removed goes by its id alone. */
  readonly schedule: string | null;
  readonly kinds: readonly ChangeKind[];
  readonly companyKey: string | null;
  /** Known here since then. */
  readonly since: Since | null;
}

/** Where a page ended. */
export type ChangeCursor = Pick<ListedChange, 'scanId' | 'companyKey' | 'adId'>;

/**
 * Port: what changed, as people read it: the newest scan first, within a scan by company.
 *
 * @throws NotFound when the account has no such schedule.
 */
export interface ChangeList {
  list(
    accountId: number,
    filter: ChangeFilter,
    page: { readonly limit: number; readonly after: ChangeCursor | null },
  ): Promise<readonly ListedChange[]>;
  /** How many there are of each kind; of what there are none is left out. */
  count(accountId: number, filter: ChangeFilter): Promise<ReadonlyMap<ChangeKind, number>>;
}
