import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { createAdList } from '../../db/stores/results/ad-list.ts';
import { createBatchReportStore } from '../../db/stores/reports/batch-report.ts';
import { readSummary } from '../../db/stores/batches/batch-summaries.ts';
import { createChartStore } from '../../db/stores/reports/charts.ts';
import { createResultService } from '../../db/stores/results/result-service.ts';
import type { Closers } from '../../src/closers.ts';
import { expectEqual } from '../support/expect.ts';

/** The product's stores that pages of results are read from. */
export interface ResultStores {
  readonly accountId: number;
  readonly readSummary: (publicId: string) => ReturnType<typeof readSummary>;
  readonly reports: ReturnType<typeof createBatchReportStore>;
  readonly ads: ReturnType<typeof createAdList>;
  readonly results: Pick<ReturnType<typeof createResultService>, 'facets' | 'emails'>;
  readonly charts: ReturnType<typeof createChartStore>;
}

/** A statement as the product sends it. */
export interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** The stores, and the statements that they send. */
export interface RecordedStores {
  /** Runs `work` with the stores. Returns its value and every statement that it sent. */
  readonly record: <T>(
    work: (stores: ResultStores) => Promise<T>,
  ) => Promise<{ readonly value: T; readonly statements: readonly Statement[] }>;
}

/** Opens the stores of an account on a separate connection. */
export function openRecordedStores(url: string, accountId: number, closers: Closers): RecordedStores {
  const pool = new pg.Pool({ connectionString: url, max: 1, options: '-c role=nightshift_app' });
  closers.add(pool, (opened) => opened.end());
  let sent: Statement[] = [];
  const logger = { logQuery: (text: string, values: unknown[]) => void sent.push({ text, values }) };
  const stores = storesOf(drizzle(pool, { logger }), accountId);
  return {
    record: async (work) => {
      expectEqual('Statements under way', sent.length, 0);
      const value = await work(stores);
      const statements = sent;
      sent = [];
      return { value, statements };
    },
  };
}

function storesOf(db: NodePgDatabase, accountId: number): ResultStores {
  return {
    accountId,
    readSummary: (publicId) => readSummary(db, accountId, publicId),
    reports: createBatchReportStore(db),
    ads: createAdList(db),
    results: createResultService(db),
    charts: createChartStore(db, (work) => work()),
  };
}
