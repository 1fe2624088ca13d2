import { sql, type SQL } from 'drizzle-orm';

/** The UTC day of scan `s`: of its start, or of its due time if it never started. */
export const scanDaySql: SQL = sql`(coalesce(s.begun_at, s.due_at) AT TIME ZONE 'UTC')::date`;

/** The lookup `l` that names a company, for rows `p` of a schedule: that of the last scan with an answer. */
export const namedBySql: SQL = sql`LEFT JOIN nightshift.tracked_companies k
    ON k.schedule_id = p.schedule_id AND k.company_key = p.company_key
  LEFT JOIN nightshift.scan_companies c ON c.scan_id = k.last_scan_id AND c.company_key = k.company_key
  LEFT JOIN nightshift.lookups l ON l.id = c.lookup_id`;

/** Maximum number of companies whose history is drawn. */
export const drawnMax = 8;

/** The part of a schedule's history in a report. */
export interface HistoryPart {
  readonly scheduleId: number;
  /** First scan of the part: ids of scans grow with time. */
  readonly firstScanId: string;
  /** First day, `YYYY-MM-DD`. */
  readonly from: string;
}
