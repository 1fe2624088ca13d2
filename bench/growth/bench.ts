import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Closers } from '../../src/closers.ts';
import { writeList, type ListOptions } from '../data/company-list.ts';
import { expectedOf, type Expected } from '../data/expected.ts';
import { checkRun } from '../pipeline/check-run.ts';
import { totalOf } from '../pipeline/runs.ts';
import { openSetting, type Setting } from '../pipeline/setting.ts';
import { startProduct, type ProductProcess } from '../product/product-process.ts';
import { enrichResult, type EnrichResult } from '../product/tasks.ts';
import { settleDatabase } from '../support/bench-server.ts';
import { withClosers } from '../support/closing.ts';
import { readMachine } from '../support/machine.ts';
import { sizeOf, type BenchOptions } from '../support/options.ts';
import { say } from '../support/say.ts';
import type { BenchResult } from '../support/table.ts';
import { growthResult, type GrowthFigures, type GrowthRound } from './result.ts';

const creativesDefault = { full: 4_000_000, smallest: 20_000 };
const adsPerName = 50;
const smallDefault = { full: 20_000, smallest: 200 };
const largeDefault = { full: 1_000_000, smallest: 1_000 };
/** Long lists with `--full`, each of other companies. */
const batchesOfFull = 10;

/** Measures the cost of a company in a short list, in a long one, and with `--full` in ten long ones, with the same snapshot. */
export function benchGrowth(options: BenchOptions): Promise<BenchResult> {
  return withClosers(async (closers) => growthResult(await measure(options, closers)));
}

async function measure(options: BenchOptions, closers: Closers): Promise<GrowthFigures> {
  const creatives = options.creatives ?? sizeOf(options, creativesDefault);
  const companies = Math.floor(creatives / adsPerName);
  const setting = await openSetting({ seed: options.seed, companies, creatives }, closers);
  const small = options.companies ?? sizeOf(options, smallDefault);
  const large = options.rows ?? sizeOf(options, largeDefault);
  const rounds: GrowthRound[] = [];
  for (let n = 1; n <= options.rounds; n += 1) {
    say(`Round ${n} of ${options.rounds}`);
    rounds.push({
      small: await runApart(setting, listOf(setting, small), closers),
      large: await runApart(setting, listOf(setting, large), closers),
    });
  }
  const batches = options.isFull ? await runBatches(setting, large, closers) : [];
  const machine = await readMachine(setting.server.url('postgres'));
  return { machine, creatives, names: companies, small, large, rounds, batches };
}

/** The nth list with this many companies. None repeats, because a file has a million rows at most. */
function listOf({ fixture: { seed, companies: names } }: Setting, companies: number, nth = 0): ListOptions {
  return { seed, companies, names, firstCompany: nth * companies, repeatsPerMille: 0, rejectsPerMille: 0 };
}

/** Runs a list in a process of its own, so that its peak of memory is its own. */
async function runApart(setting: Setting, list: ListOptions, closers: Closers): Promise<EnrichResult> {
  const product = startProduct(setting.server.home, closers);
  const run = await runList(setting, list, product);
  await product.close();
  return run;
}

/** Runs ten lists one after the other in one process. */
async function runBatches(
  setting: Setting,
  companies: number,
  closers: Closers,
): Promise<readonly EnrichResult[]> {
  const product = startProduct(setting.server.home, closers);
  const runs: EnrichResult[] = [];
  for (let nth = 1; nth <= batchesOfFull; nth += 1)
    runs.push(await runList(setting, listOf(setting, companies, nth), product));
  await product.close();
  return runs;
}

/** Writes the file, runs it and removes it. */
async function runList(setting: Setting, list: ListOptions, product: ProductProcess): Promise<EnrichResult> {
  const { server, folder, fixture } = setting;
  const file = join(folder, 'list.csv');
  await writeList(list, file);
  await settleDatabase(server);
  const rows = join(folder, 'rows.csv');
  const run = enrichResult.parse(await product.run({ kind: 'enrich', file, rows, ads: null }));
  const expected: Expected = expectedOf(list, fixture);
  await checkRun(`${list.companies} companies`, server.url('postgres'), run.batchId, expected);
  await Promise.all([file, rows].map((path) => rm(path)));
  say(
    `  ${list.companies.toLocaleString('en')} companies: ${totalOf(run).toFixed(2)} s, ${run.peakRssMb} MB`,
  );
  return run;
}
