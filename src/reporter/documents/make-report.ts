import type { BatchData } from '../../core/reports/batch-data.ts';
import type { ReportData } from '../../core/reports/report-data.ts';
import type { ScheduleData } from '../../core/reports/schedule-data.ts';
import type { DocumentFormat } from './document-format.ts';
import { batchPage } from './html/batch-page.ts';
import { schedulePage } from './html/schedule-page.ts';
import { batchMarkdown } from './markdown/batch-md.ts';
import { scheduleMarkdown } from './markdown/schedule-md.ts';

/** Days of a schedule's history that are told of, unless others are asked for; and the most that may be. */
export const daysUsual = 30;
export const daysMax = 366;

/** Rows of the longest table: what a browser filters at once, and what a person reads in a terminal. */
const rowsMaxOf: Readonly<Record<DocumentFormat, number>> = { html: 5000, md: 100 };

export interface ReportOptions {
  readonly accountId: number;
  readonly format: DocumentFormat;
  /** Pictures of ads, fetched by the browser from Google's hosts: HTML only. Default false. */
  readonly withPictures?: boolean;
}

/** A report, finished, and how much there is of what it tells. */
export interface MadeReport {
  readonly text: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** The report of a batch. @throws NotFound */
export async function makeBatchReport(
  store: ReportData,
  batch: string,
  options: ReportOptions,
): Promise<MadeReport> {
  const { accountId, format, withPictures = false } = options;
  const bounds = { rowsMax: rowsMaxOf[format], withMarkup: withPictures };
  const data = await store.readBatch(accountId, batch, bounds);
  return {
    text: format === 'html' ? batchPage(data, { withPictures }) : batchMarkdown(data),
    counts: batchCounts(data),
  };
}

/** The report of a schedule, by its name or id, over the last `days` days. @throws NotFound */
export async function makeScheduleReport(
  store: ReportData,
  schedule: string,
  options: ReportOptions & { readonly days: number },
): Promise<MadeReport> {
  const { accountId, format, days, withPictures = false } = options;
  const bounds = { rowsMax: rowsMaxOf[format], withMarkup: withPictures, days };
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
