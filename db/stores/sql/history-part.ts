import { sql, type SQL } from 'drizzle-orm';

/** The UTC day of scan `s`: when it began, and of one that did not, when it was due. */
export const scanDaySql: SQL = sql`(coalesce(s.begun_at, s.due_at) AT TIME ZONE 'UTC')::date`;

/** The lookup `l` that a company is named by, of rows `p` of a schedule: that of the last scan which said something about it. */
export const namedBySql: SQL = sql`LEFT JOIN nightshift.tracked_companies k
    ON k.schedule_id = p.schedule_id AND k.company_key = p.company_key
  LEFT JOIN nightshift.scan_companies c ON c.scan_id = k.last_scan_id AND c.company_key = k.company_key
  LEFT JOIN nightshift.lookups l ON l.id = c.lookup_id`;

/** Companies whose history is drawn. */
export const drawnMax = 8;

/** The part of a schedule's history that a report tells. */
export interface HistoryPart {
  readonly scheduleId: number;
  /** The first scan of it: ids of scans grow with time. */
  readonly firstScanId: string;
  /** The first day, `YYYY-MM-DD`. */
  readonly from: string;
}
