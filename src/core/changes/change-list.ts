import type { Ad } from '../ads/ad.ts';
import type { Since } from '../time/parse-since.ts';
import type { ChangeKind, ChangeReason } from './ad-change.ts';

/** Version of an ad; the change holds its days. */
export type AdObservation = Omit<Ad, 'start' | 'lastSeen'>;

/** A change of an ad, as it is told. Ids are public ones. */
export interface ListedChange {
  /** The schedule by its name; `scheduleId`: by its id. */
  readonly schedule: string;
  readonly scheduleId: string;
  readonly scan: string;
  /** The time that the scan was for. */
  readonly dueAt: Date;
  readonly companyKey: string;
  readonly companyDomain: string | null;
  readonly companyName: string | null;
  readonly kind: ChangeKind;
  readonly reason: ChangeReason | null;
  readonly ad: AdObservation;
  /** Version before the change, for a changed ad. */
  readonly before: AdObservation | null;
  /** See `AdChange`. */
  readonly ranFrom: string | null;
  readonly ranTo: string | null;
  /** The scans that it rests on, the oldest first. */
  readonly restsOn: readonly string[];
  /** When these began. */
  readonly restsOnAt: readonly Date[];
  /** When the source said what it follows from, and when it was worked out. */
  readonly observedAt: Date;
  readonly createdAt: Date;
  readonly place: ChangePlace;
}

/** End of a page. */
export interface ChangePlace {
  readonly scanId: bigint;
  readonly companyKey: string;
  readonly adId: bigint;
}

/** Filter of changes; null: any. */
export interface ChangeFilter {
  /** Name or id of a schedule. */
  readonly schedule: string | null;
  /** Null: all that are news. */
  readonly kinds: readonly ChangeKind[] | null;
  /** Key of a company: `CompanyQuery.key`. */
  readonly companyKey: string | null;
  /** Worked out then or later. */
  readonly since: Since | null;
  /** Public id of a scan that brought them to light. */
  readonly scan: string | null;
  /** Day on which the scan began. */
  readonly day: ZonedDay | null;
}

/** A day, `YYYY-MM-DD`, by the clocks of a zone. */
export interface ZonedDay {
  readonly day: string;
  /** IANA name. */
  readonly timeZone: string;
}

/** Number of changes of the scans of a schedule that began on a day, without baselines. */
export interface ChangedDay extends Readonly<Record<Exclude<ChangeKind, 'baseline'>, number>> {
  readonly day: string;
  /** The schedule by its name; `scheduleId`: by its id. */
  readonly schedule: string;
  readonly scheduleId: string;
  /** Scans that were evaluated. */
  readonly scans: number;
  readonly place: ChangedDayPlace;
}

/** End of a page of days. */
export interface ChangedDayPlace {
  readonly day: string;
  /** The schedule, by its inner id. */
  readonly schedule: bigint;
}

/** Filter of days; null: any. */
export interface ChangedDayFilter extends Pick<ChangeFilter, 'schedule' | 'companyKey'> {
  /** Time zone of the days; IANA name. */
  readonly timeZone: string;
}

/** Port: what changed for an account, that of the newest scan first, and of each scan by company and ad. */
export interface ChangeList {
  /** @throws NotFound when the account has no such schedule. */
  list(
    accountId: number,
    filter: ChangeFilter,
    page: { readonly limit: number; readonly after: ChangePlace | null },
  ): Promise<readonly ListedChange[]>;
  /**
   * Day by day and schedule by schedule, the newest day first and of each the newest schedule; days on which scans changed nothing too.
   *
   * @throws as `list` does; ValidationError for a zone that Postgres does not know.
   */
  days(
    accountId: number,
    filter: ChangedDayFilter,
    page: { readonly limit: number; readonly after: ChangedDayPlace | null },
  ): Promise<readonly ChangedDay[]>;
  /** Counts the changes of each kind; kinds without changes are absent. @throws as `list` does. */
  count(accountId: number, filter: ChangeFilter): Promise<ReadonlyMap<ChangeKind, number>>;
}
