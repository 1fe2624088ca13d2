import pLimit from 'p-limit';
import { createBatchControl } from '../../db/stores/batches/batch-control.ts';
import { createBatchTimeline } from '../../db/stores/batches/batch-timeline.ts';
import { createBatchStore } from '../../db/stores/batches/batches.ts';
import { createSavedColumnMappings } from '../../db/stores/batches/saved-column-mappings.ts';
import { createBatchReportStore } from '../../db/stores/reports/batch-report.ts';
import { createChartStore } from '../../db/stores/reports/charts.ts';
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

/** Services of batches: loading, control, and results as lines, documents, charts and pages. */
export interface BatchServices {
  readonly store: BatchStore;
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

/** Wires the stores of batches and the loader, which applies the limits of each account. */
export function wireBatches({ servers }: Wiring, limits: AccountLimitStore): BatchServices {
  const { database, sessions } = servers;
  const db = database.sql;
  const store = createBatchStore({ ...database, pool: sessions.pool });
  const load = createBatchLoader(store, limits);
  return {
    store,
    control: createBatchControl(db),
    timeline: createBatchTimeline(db),
    rejectedRows: createRejectedRows(db),
    savedMappings: createSavedColumnMappings(db),
    load,
    runAgain: createRunAgain(db, load),
    submitted: createSubmittedBatches(db, limits),
    reportStore: createBatchReportStore(db),
    reportData: createReportData(db),
    results: createResultService(db),
    charts: createChartStore(db, pLimit(countsMax)),
    ads: createAdList(db),
  };
}

/** Maximum number of concurrent chart counts per process: each reads all ads of a batch several times. */
const countsMax = 2;
