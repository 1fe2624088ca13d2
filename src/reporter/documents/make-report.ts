import type { BatchData } from '../../core/reports/batch-data.ts';
import type { ReportData } from '../../core/reports/report-data.ts';
import type { ScheduleData } from '../../core/reports/schedule-data.ts';
import type { DocumentFormat } from './document-format.ts';
import { batchPage } from './html/batch-page.ts';
import { schedulePage } from './html/schedule-page.ts';
import { batchMarkdown } from './markdown/batch-md.ts';
import { scheduleMarkdown } from './markdown/schedule-md.ts';

/** Default number of days in the report of a schedule. */
export const daysUsual = 30;
/** Maximum number of days in the report of a schedule. */
export const daysMax = 366;

/** Maximum rows of a table: limited by filter speed in HTML, and by reading length in Markdown. */
const rowsMaxByFormat: Readonly<Record<DocumentFormat, number>> = { html: 5000, md: 100 };

/** Options of a report. */
export interface ReportOptions {
  readonly accountId: number;
  readonly format: DocumentFormat;
  /** Pictures of ads, fetched by the browser from Google's hosts: HTML only. Default false. */
  readonly withPictures?: boolean;
}

/** Report text with counts of its content. */
export interface MadeReport {
  readonly text: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** Creates the report of a batch. @throws NotFound */
export async function makeBatchReport(
  store: ReportData,
  batch: string,
  options: ReportOptions,
): Promise<MadeReport> {
  const { accountId, format, withPictures = false } = options;
  const bounds = { rowsMax: rowsMaxByFormat[format], withMarkup: withPictures };
  const data = await store.readBatch(accountId, batch, bounds);
  return {
    text: format === 'html' ? batchPage(data, { withPictures }) : batchMarkdown(data),
    counts: batchCounts(data),
  };
}

/** Creates the report of a schedule, by its name or id, over the last `days` days. @throws NotFound */
export async function makeScheduleReport(
  store: ReportData,
  schedule: string,
  options: ReportOptions & { readonly days: number },
): Promise<MadeReport> {
  const { accountId, format, days, withPictures = false } = options;
  const bounds = { rowsMax: rowsMaxByFormat[format], withMarkup: withPictures, days };
  const data = await store.readSchedule(accountId, schedule, bounds);
  return {
    text: format === 'html' ? schedulePage(data, { withPictures }) : scheduleMarkdown(data),
    counts: scheduleCounts(data),
  };
}

function batchCounts({ summary, companies, ads, rejected }: BatchData) {
  return {
    rows: summary.rows.total,
    rejected: rejected.total,
    companies: companies.total,
    companiesShown: companies.rows.length,
    ads: ads.total,
    adsShown: ads.rows.length,
  };
}

function scheduleCounts({ scans, companies, changes, adsActive, failures }: ScheduleData) {
  return {
    scans: scans.total,
    companies: companies.total,
    adsActive,
    changes: changes.total,
    changesShown: changes.rows.length,
    failed: failures?.companies.total ?? 0,
  };
}
