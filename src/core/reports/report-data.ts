import type { BatchData } from './batch-data.ts';
import type { ScheduleData } from './schedule-data.ts';

/** Bounds of a report. */
export interface ReportBounds {
  /** Rows of its longest table. */
  readonly rowsMax: number;
  /** Renderings are wanted too. Default false. */
  readonly withMarkup: boolean;
}

/** Port: what reports are made of, each read as it stands at one moment. */
export interface ReportData {
  /** @throws NotFound when the account has no such batch; the message says how to list them. */
  readBatch(accountId: number, publicId: string, bounds: ReportBounds): Promise<BatchData>;
  /**
   * The history of a schedule over the given number of days, which end with its newest scan's.
   *
   * @param schedule its name, or its id `sch_…`, also of one that was removed.
   * @throws NotFound when the account has no such schedule; the message says how to list them.
   */
  readSchedule(
    accountId: number,
    schedule: string,
    bounds: ReportBounds & { readonly days: number },
  ): Promise<ScheduleData>;
}
