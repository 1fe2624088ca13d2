import { join } from 'node:path';
import type { Closers } from '../../src/closers.ts';
import { startProduct, type ProductProcess } from '../product/product-process.ts';
import { enrichResult, type EnrichResult } from '../product/tasks.ts';
import { settleDatabase } from '../support/bench-server.ts';
import { say } from '../support/say.ts';
import { checkRun } from './check-run.ts';
import { totalOf } from './runs.ts';
import { makeList, type ListFile, type Setting } from './setting.ts';

const concurrencies = [2, 4, 8, 16, 32, 64];
const sampleCompanies = 1000;

/** The run with a job and a transaction per company, and its best concurrency. */
export interface NaiveRun {
  readonly concurrency: number;
  /** Companies per second of each concurrency, on the sample that chose it. */
  readonly sampled: Readonly<Record<string, number>>;
  readonly run: EnrichResult;
}

/** Finds the best concurrency on a sample, then runs the whole batch with it once. */
export async function runNaive(setting: Setting, list: ListFile, closers: Closers): Promise<NaiveRun> {
  const product = startProduct(setting.server.home, closers);
  const sample = await makeList(setting, Math.min(sampleCompanies, setting.fixture.companies));
  const rates = new Map<number, number>();
  for (const concurrency of concurrencies) {
    const { work } = await runOnce(setting, sample, product, concurrency);
    rates.set(concurrency, Math.round(sample.expected.lookups / work));
    say(`  a job per company, ${concurrency} at a time: ${rates.get(concurrency)} companies/s`);
  }
  const [[concurrency] = [8]] = [...rates].sort(([, a], [, b]) => b - a);
  const run = await runOnce(setting, list, product, concurrency);
  await product.close();
  say(`  a job per company, in full: ${totalOf(run).toFixed(1)} s`);
  return { concurrency, sampled: Object.fromEntries(rates), run };
}

async function runOnce(
  { server, folder }: Setting,
  list: ListFile,
  product: ProductProcess,
  concurrency: number,
): Promise<EnrichResult> {
  await settleDatabase(server);
  const url = server.url('nightshift_app');
  const rows = join(folder, 'naive-rows.csv');
  const run = enrichResult.parse(
    await product.run({ kind: 'naive', file: list.file, rows, url, concurrency }),
  );
  await checkRun('a job per company', server.url('postgres'), run.batchId, list.expected);
  return run;
}
