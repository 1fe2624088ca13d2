import { join } from 'node:path';
import type { Closers } from '../src/closers.ts';
import { checkRun } from './pipeline/check-run.ts';
import { totalOf } from './pipeline/runs.ts';
import { makeList, openSetting, type ListFile, type Setting } from './pipeline/setting.ts';
import { startProduct, type ProductProcess } from './product/product-process.ts';
import { enrichResult, type EnrichResult } from './product/tasks.ts';
import { settleDatabase } from './support/bench-server.ts';
import { withClosers } from './support/closing.ts';
import { median, rounded } from './support/figures.ts';
import { readMachine, type Machine } from './support/machine.ts';
import type { BenchOptions } from './support/options.ts';
import { say } from './support/say.ts';
import type { BenchResult } from './support/table.ts';

const timesAsMany = 10;

interface Round {
  readonly small: EnrichResult;
  readonly large: EnrichResult;
}

interface GrowthFigures {
  readonly machine: Machine;
  readonly small: ListFile;
  readonly large: ListFile;
  readonly rounds: readonly Round[];
}

/** Measures the cost of a company in a batch, and in one ten times as long, with the same snapshot and as many ads each. */
export function benchGrowth(options: BenchOptions): Promise<BenchResult> {
  return withClosers(async (closers) => growthResult(await measure(options, closers)));
}

async function measure(options: BenchOptions, closers: Closers): Promise<GrowthFigures> {
  const setting = await openSetting(options, closers);
  const small = await makeList(setting, setting.fixture.companies);
  const large = await makeList(setting, setting.fixture.companies * timesAsMany);
  const product = startProduct(setting.server.home, closers);
  const rounds: Round[] = [];
  for (let n = 1; n <= options.rounds; n += 1) {
    say(`Round ${n} of ${options.rounds}`);
    rounds.push({
      small: await runList(setting, small, product),
      large: await runList(setting, large, product),
    });
  }
  return { machine: await readMachine(setting.server.url('postgres')), small, large, rounds };
}

async function runList(setting: Setting, list: ListFile, product: ProductProcess): Promise<EnrichResult> {
  const { server, folder } = setting;
  await settleDatabase(server);
  const rows = join(folder, 'rows.csv');
  const run = enrichResult.parse(await product.run({ kind: 'enrich', file: list.file, rows, ads: null }));
  await checkRun(`${list.expected.lookups} companies`, server.url('postgres'), run.batchId, list.expected);
  say(`  ${list.expected.lookups.toLocaleString('en')} companies: ${totalOf(run).toFixed(2)} s`);
  return run;
}

function growthResult({ machine, small, large, rounds }: GrowthFigures): BenchResult {
  const [few, many] = [
    costOf(
      small,
      rounds.map((round) => round.small),
    ),
    costOf(
      large,
      rounds.map((round) => round.large),
    ),
  ];
  const ratio = rounded(many.seconds_per_company / few.seconds_per_company, 2);
  const row = (cost: typeof few) =>
    [
      cost.companies,
      cost.load,
      cost.work,
      cost.export,
      cost.seconds,
      rounded(cost.seconds_per_company * 1e6, 1),
    ] as const;
  return {
    name: 'growth',
    head: ['companies', 'load', 'work', 'export', 'seconds', 'µs per company'],
    rows: [row(few), row(many)],
    notes: [
      `A company of the long list costs ${ratio} times one of the short list. Medians of ${rounds.length} rounds, both in turns.`,
      'The long list names each advertiser ten times, as ten companies of different domains.',
    ],
    json: {
      ratios: { cost_per_company: ratio },
      small: few,
      large: many,
      peak_rss_mb: Math.max(...rounds.map((round) => round.large.peakRssMb)),
      machine,
      rounds,
    },
  };
}

function costOf({ expected }: ListFile, runs: readonly EnrichResult[]) {
  const middle = (of: (run: EnrichResult) => number) => rounded(median(runs.map(of)));
  const seconds = middle(totalOf);
  return {
    companies: expected.lookups,
    load: middle((run) => run.load),
    work: middle((run) => run.work),
    export: middle((run) => run.rows),
    seconds,
    seconds_per_company: seconds / expected.lookups,
  };
}
