import pLimit from 'p-limit';
import { createBatchControl } from '../../db/stores/batches/batch-control.ts';
import { createBatchTimeline } from '../../db/stores/batches/batch-timeline.ts';
import { createBatchPages, createBatchStore } from '../../db/stores/batches/batches.ts';
import { createSavedColumnMappings } from '../../db/stores/batches/saved-column-mappings.ts';
import { createBatchReportStore, createSortLimit } from '../../db/stores/reports/batch-report.ts';
import { createChartReadings, createChartStore } from '../../db/stores/reports/charts.ts';
import { createRejectedRows } from '../../db/stores/reports/rejected-rows.ts';
import { createReportData } from '../../db/stores/reports/report-data.ts';
import { createAdList } from '../../db/stores/results/ad-list.ts';
import { createResultService } from '../../db/stores/results/result-service.ts';
import type { AccountLimitStore } from '../core/accounts/account-limits.ts';
import type { BatchControl } from '../core/batches/batch-control.ts';
import type { BatchReportStore, RejectedRows } from '../core/batches/batch-report.ts';
import type { BatchStore } from '../core/batches/batch-store.ts';
import type { BatchTimeline } from '../core/batches/batch-timeline.ts';
import type { SavedColumnMappings } from '../core/batches/saved-column-mapping.ts';
import type { ChartStore } from '../core/reports/charts.ts';
import type { ReportData } from '../core/reports/report-data.ts';
import type { AdList } from '../core/batches/ad-list.ts';
import type { ResultService } from '../core/batches/result-service.ts';
import { createBatchLoader, type BatchLoader } from './batches/batch-loader.ts';
import { createRunAgain, type RunAgain } from './batches/run-again.ts';
import { createSubmittedBatches, type SubmittedBatches } from './batches/submitted-batches.ts';
import type { Wiring } from './wiring.ts';

/** Summaries of batches for pages, perhaps from a replica: nothing is decided by them. */
export type BatchPages = Pick<BatchStore, 'readSummary' | 'listSummaries' | 'countBatches'>;

/** Services of batches: loading, control, and results as lines, documents, charts and pages. */
export interface BatchServices {
  readonly store: BatchStore;
  /** The summaries of `store`, for pages that show them. */
  readonly pages: BatchPages;
  readonly control: BatchControl;
  readonly timeline: BatchTimeline;
  readonly rejectedRows: RejectedRows;
  readonly savedMappings: SavedColumnMappings;
  readonly load: BatchLoader;
  readonly runAgain: RunAgain;
  readonly submitted: SubmittedBatches;
  readonly reportStore: BatchReportStore;
  readonly reportData: ReportData;
  readonly results: ResultService;
  readonly charts: ChartStore;
  readonly ads: AdList;
}

/** Wires the stores of batches and the loader, which applies the limits of each account. What only shows goes through the reader. */
export function wireBatches({ servers }: Wiring, limits: AccountLimitStore): BatchServices {
  const { database, sessions, reader } = servers;
  const db = database.sql;
  const limitSorts = createSortLimit();
  const counting = { primary: db, limit: pLimit(countsMax), underWay: new Map<string, Promise<unknown>>() };
  const store = createBatchStore({ ...database, pool: sessions.pool });
  const load = createBatchLoader(store, limits);
  return {
    store,
    pages: reader.of(createBatchPages),
    control: createBatchControl(db),
    timeline: reader.of(createBatchTimeline),
    rejectedRows: reader.ofRejectedRows(createRejectedRows),
    savedMappings: createSavedColumnMappings(db),
    load,
    runAgain: createRunAgain(db, load),
    submitted: createSubmittedBatches(db, limits),
    reportStore: reader.ofReports((from) => createBatchReportStore(from, { primary: db, limitSorts })),
    reportData: reader.of(createReportData),
    results: createResultService(db, reader),
    charts: {
      ...reader.of((from) => createChartReadings(from, counting)),
      keepUp: createChartStore(db, counting.limit).keepUp,
    },
    ads: reader.of(createAdList),
  };
}

/** Maximum number of concurrent chart counts per process: each reads all ads of a batch several times. */
const countsMax = 2;
