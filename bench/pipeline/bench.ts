import type { Closers } from '../../src/closers.ts';
import { startProduct } from '../product/product-process.ts';
import { verifyResult } from '../product/tasks.ts';
import { withClosers } from '../support/closing.ts';
import { expectEqual } from '../support/expect.ts';
import { readMachine } from '../support/machine.ts';
import type { BenchOptions } from '../support/options.ts';
import { say } from '../support/say.ts';
import type { BenchResult } from '../support/table.ts';
import { openDuckDb } from './duckdb-floor.ts';
import type { PipelineFigures } from './figures.ts';
import { runNaive } from './naive-runs.ts';
import { pipelineResult } from './result.ts';
import { runRound, type Round } from './runs.ts';
import { makeList, openSetting, pipelineFixture, type ListFile, type Setting } from './setting.ts';

/** Measures file to file: the product, set-based SQL alone, DuckDB, and one job and one transaction per company. */
export function benchPipeline(options: BenchOptions): Promise<BenchResult> {
  return withClosers(async (closers) => pipelineResult(await measure(options, closers)));
}

async function measure(options: BenchOptions, closers: Closers): Promise<PipelineFigures> {
  const setting = await openSetting(pipelineFixture(options), closers);
  const list = await makeList(setting, setting.fixture.companies);
  const rounds = await runRounds(setting, list, { rounds: options.rounds, closers });
  const naive = options.naive ? await runNaive(setting, list, closers) : null;
  return {
    machine: await readMachine(setting.server.url('postgres')),
    list,
    creatives: setting.fixture.creatives,
    rounds,
    naive,
    verifySeconds: await verifyAll(setting, closers),
  };
}

async function runRounds(
  setting: Setting,
  list: ListFile,
  { rounds, closers }: { readonly rounds: number; readonly closers: Closers },
): Promise<readonly Round[]> {
  const duckdb = await openDuckDb(setting, closers);
  const product = startProduct(setting.server.home, closers);
  const done: Round[] = [];
  for (let n = 1; n <= rounds; n += 1) {
    say(`Round ${n} of ${rounds}`);
    done.push(await runRound(setting, list, { product, duckdb }));
  }
  await product.close();
  await duckdb.close();
  return done;
}

/** Verifies the data of all runs with the product: of the product itself, the floor and the naive implementation. */
async function verifyAll({ server }: Setting, closers: Closers): Promise<number> {
  const product = startProduct(server.home, closers);
  const { seconds, findings } = verifyResult.parse(await product.run({ kind: 'verify' }));
  await product.close();
  expectEqual('What verify found', findings, []);
  return seconds;
}
