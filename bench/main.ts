import { benchApi } from './api/bench.ts';
import { benchConsole } from './console/bench.ts';
import { benchDisk } from './disk.ts';
import { benchEmail } from './email/bench.ts';
import { benchGrowth } from './growth/bench.ts';
import { benchLanding } from './landing/bench.ts';
import { benchLedger } from './ledger/bench.ts';
import { benchLoad } from './load/bench.ts';
import { benchNightly } from './nightly/bench.ts';
import { benchPaced } from './paced/bench.ts';
import { benchPeers } from './peers/bench.ts';
import { benchPipeline } from './pipeline/bench.ts';
import { benchPurge } from './purge/bench.ts';
import { benchStart } from './start.ts';
import { benchScans } from './scans/bench.ts';
import { benchVerify } from './verify/bench.ts';
import { buildProduct } from './product/command.ts';
import { reportCounts } from '../test/support/ci/counts.ts';
import { parseOptions, usage, UsageError, type BenchName, type BenchOptions } from './support/options.ts';
import { say } from './support/say.ts';
import { resultText, type BenchResult } from './support/table.ts';

const benches: Readonly<Record<BenchName, (options: BenchOptions) => Promise<BenchResult>>> = {
  pipeline: benchPipeline,
  ledger: benchLedger,
  load: benchLoad,
  growth: benchGrowth,
  peers: benchPeers,
  nights: benchNightly,
  disk: benchDisk,
  purge: benchPurge,
  start: benchStart,
  api: benchApi,
  email: benchEmail,
  paced: benchPaced,
  scans: benchScans,
  console: benchConsole,
  landing: benchLanding,
  verify: benchVerify,
};

try {
  await run(parseOptions(process.argv.slice(2)));
} catch (error) {
  say(error instanceof UsageError ? `${error.message}\n\n${usage}` : textOf(error));
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** One document with `--json`: the figures of one benchmark, or of several, each under its name. */
async function run(options: BenchOptions): Promise<void> {
  buildProduct();
  const results: BenchResult[] = [];
  const failed: BenchName[] = [];
  for (const name of options.names) {
    try {
      const result = await benches[name](options);
      results.push(result);
      (options.json ? say : print)(resultText(result));
    } catch (error) {
      // The results of the others are still printed.
      failed.push(name);
      say(`${name} FAILED\n${textOf(error)}`);
    }
  }
  reportCounts({ passed: results.length, failed: failed.length, skipped: 0 });
  if (failed.length > 0) process.exitCode = 1;
  if (!options.json || results.length === 0) return;
  const [only] = results;
  const document =
    results.length === 1 && only !== undefined
      ? only.json
      : Object.fromEntries(results.map((result) => [result.name, result.json]));
  print(JSON.stringify(document, null, 2));
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
