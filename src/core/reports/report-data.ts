import type { BatchData } from './batch-data.ts';
import type { ScheduleData } from './schedule-data.ts';

/** Bounds of a report. */
export interface ReportBounds {
  /** Maximum rows of its longest table. */
  readonly rowsMax: number;
  /** Includes the markup of ads; that of the sample's pictures is always included. Default false. */
  readonly withMarkup: boolean;
}

/** Port: data of reports, each read from one snapshot. */
export interface ReportData {
  /** @throws NotFound when the account has no such batch; the message names the command that lists them. */
  readBatch(accountId: number, publicId: string, bounds: ReportBounds): Promise<BatchData>;
  /**
   * Reads the history of a schedule over the last `days` days, which end with the day of its newest scan.
   *
   * @param schedule its name, or its id `sch_…`, also of a removed schedule.
   * @throws NotFound when the account has no such schedule; the message names the command that lists them.
   */
  readSchedule(
    accountId: number,
    schedule: string,
    bounds: ReportBounds & { readonly days: number },
  ): Promise<ScheduleData>;
}
