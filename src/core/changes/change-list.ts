import type { Ad } from '../ads/ad.ts';
import type { Since } from '../time/parse-since.ts';
import type { ChangeKind, ChangeReason } from './ad-change.ts';

/** Version of an ad; the change holds its days. */
export type AdObservation = Omit<Ad, 'start' | 'lastSeen'>;

/** A change of an ad, as it is reported. Ids are public ids. */
export interface ListedChange {
  /** Name of the schedule; `scheduleId` is its id. */
  readonly schedule: string;
  readonly scheduleId: string;
  readonly scan: string;
  /** Due time of the scan. */
  readonly dueAt: Date;
  /** Time zone of the schedule; IANA name. */
  readonly timeZone: string;
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
  /** The scans on which the change is based, oldest first. */
  readonly restsOn: readonly string[];
  /** Start times of these scans. */
  readonly restsOnAt: readonly Date[];
  /** Time at which the source answered, and time of the evaluation. */
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
  /** Null: all kinds except baselines. */
  readonly kinds: readonly ChangeKind[] | null;
  /** Format of the ad, regardless of case, such as `Video`. */
  readonly format: string | null;
  /** Key of a company: `CompanyQuery.key`. */
  readonly companyKey: string | null;
  /** Evaluated at this time or later. */
  readonly since: Since | null;
  /** Public id of the scan that revealed the changes. */
  readonly scan: string | null;
  /** Day on which the scan began. */
  readonly day: ZonedDay | null;
}

/** A day, `YYYY-MM-DD`, in a time zone. */
export interface ZonedDay {
  readonly day: string;
  /** IANA name. */
  readonly timeZone: string;
}

/** Number of changes from the scans of a schedule that started on a day, without baselines. */
export interface ChangedDay extends Readonly<Record<Exclude<ChangeKind, 'baseline'>, number>> {
  readonly day: string;
  /** Name of the schedule; `scheduleId` is its id. */
  readonly schedule: string;
  readonly scheduleId: string;
  /** Number of evaluated scans. */
  readonly scans: number;
  readonly place: ChangedDayPlace;
}

/** End of a page of days. */
export interface ChangedDayPlace {
  readonly day: string;
  /** Internal id of the schedule. */
  readonly schedule: bigint;
}

/** Filter of days; null: any. */
export interface ChangedDayFilter extends Pick<ChangeFilter, 'schedule' | 'companyKey'> {
  /** Time zone of the days; IANA name. */
  readonly timeZone: string;
}

/** Port: the changes of an account, newest scan first, then by company and ad. */
export interface ChangeList {
  /** @throws NotFound when the account has no such schedule. */
  list(
    accountId: number,
    filter: ChangeFilter,
    page: { readonly limit: number; readonly after: ChangePlace | null },
  ): Promise<readonly ListedChange[]>;
  /**
   * Lists counts by day and schedule, newest first, including days on which scans found no change.
   *
   * @throws NotFound when the account has no such schedule; ValidationError for a zone that Postgres does not know.
   */
  days(
    accountId: number,
    filter: ChangedDayFilter,
    page: { readonly limit: number; readonly after: ChangedDayPlace | null },
  ): Promise<readonly ChangedDay[]>;
  /** Counts the changes of each kind; kinds without changes are absent. @throws NotFound, as `list` does. */
  count(accountId: number, filter: ChangeFilter): Promise<ReadonlyMap<ChangeKind, number>>;
}
