import type { Ad } from '../ads/ad.ts';
import type { ChangeKind, ChangeReason } from './ad-change.ts';

/** How an ad looked; its days are told by the change. */
export type AdLook = Omit<Ad, 'start' | 'lastSeen'>;

/** A change of an ad, as it is told. Ids are public ones. */
export interface ListedChange {
  /** The schedule by its name; `scheduleId`: by its id. */
  readonly schedule: string;
  readonly scheduleId: string;
  readonly scan: string;
  readonly companyKey: string;
  readonly companyDomain: string | null;
  readonly companyName: string | null;
  readonly kind: ChangeKind;
  readonly reason: ChangeReason | null;
  readonly ad: AdLook;
  /** Of a changed one: how it looked before. */
  readonly before: AdLook | null;
  /** See `AdChange`. */
  readonly ranFrom: string | null;
  readonly ranTo: string | null;
  /** The scans that it rests on, the oldest first. */
  readonly restsOn: readonly string[];
  /** When the source said what it follows from, and when it was worked out. */
  readonly observedAt: Date;
  readonly createdAt: Date;
  readonly place: ChangePlace;
}

/** Where a page ended. */
export interface ChangePlace {
  readonly scanId: bigint;
  readonly companyKey: string;
  readonly adId: bigint;
}

/** Which changes are wanted; what is null is not asked for. */
export interface ChangeFilter {
  /** Name or id of a schedule. */
  readonly schedule: string | null;
  /** Null: all that are news. */
  readonly kinds: readonly ChangeKind[] | null;
  /** Key of a company: `CompanyQuery.key`. */
  readonly companyKey: string | null;
  /** Worked out then or later. */
  readonly since: Date | null;
  /** Worked out no longer ago; milliseconds. */
  readonly ageMsMax: number | null;
}

/** Port: what changed for an account, that of the newest scan first, and of each scan by company and ad. */
export interface ChangeList {
  /** @throws NotFound when the account has no such schedule. */
  list(
    accountId: number,
    filter: ChangeFilter,
    page: { readonly limit: number; readonly after: ChangePlace | null },
  ): Promise<readonly ListedChange[]>;
}
