import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Table from 'cli-table3';
import { format, resolveConfig } from 'prettier';
import { reportCounts } from '../support/ci/counts.ts';
import { proofCases } from './cases.ts';
import { describeMachine } from './machine.ts';
import { parseOptions, usage, UsageError, type ProofOptions } from './options.ts';
import { prove, stateFile } from './prove.ts';
import { renewRecord } from './record.ts';
import { figureLines, resultText, type CaseResult } from './result.ts';
import { readRevision } from './revision.ts';
import { readState } from './state.ts';

const root = join(import.meta.dirname, '../..');
const places = {
  root,
  config: join(root, 'test/vitest.faults.config.ts'),
  output: join(root, 'test-output/proof'),
};
const recordFile = join(root, 'docs/contributing/proof.md');

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  say(error instanceof UsageError ? `${error.message}\n\n${usage}` : textOf(error));
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

/** Exits with 0 if nothing failed and something passed, with 130 after Ctrl-C. */
async function main(argv: readonly string[]): Promise<number> {
  const options = parseOptions(argv);
  const revision = readRevision(root);
  if (options.isList) {
    printList(options, readState(stateFile(places, options), revision.code).results);
    return 0;
  }
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const results = await prove(proofCases, options, {
      places,
      revision,
      machine: describeMachine(root),
      signal: interrupt.signal,
      say,
      onOutput: (text) => void process.stderr.write(text),
      onResult: async (result) => void (options.isSmall || (await writeRecord(result))),
    });
    printResults(options, results);
    return exitCodeOf(results);
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    say('Interrupted. The same command goes on with the case that was running.');
    return 130;
  }
}

async function writeRecord(result: CaseResult): Promise<void> {
  const renewed = renewRecord(readFileSync(recordFile, 'utf8'), proofCases, [result]);
  const style = await resolveConfig(recordFile);
  writeFileSync(recordFile, await format(renewed, { ...style, parser: 'markdown' }));
}

function exitCodeOf(results: readonly CaseResult[]): number {
  const count = (...states: readonly CaseResult['state'][]) =>
    results.filter(({ state }) => states.includes(state));
  const [passed, failed] = [count('passed'), count('failed', 'over time')];
  reportCounts(
    { passed: passed.length, failed: failed.length, skipped: count('not run').length },
    failed.map((result) => `${result.name}: ${resultText(result)}`),
  );
  return passed.length > 0 && failed.length === 0 ? 0 : 1;
}

function printList({ json, names }: ProofOptions, results: readonly CaseResult[]): void {
  const listed = proofCases
    .filter(({ name }) => names.length === 0 || names.includes(name))
    .map((one) => {
      const result = results.find(({ name }) => name === one.name);
      return { ...one, result: result === undefined ? 'not run with this code' : resultText(result) };
    });
  if (json) return print(JSON.stringify(listed, null, 2));
  const minutes = ({ expectedMinutes, minutesMax }: (typeof listed)[number]) =>
    `${expectedMinutes} (at most ${minutesMax})`;
  const table = new Table({
    head: ['case', 'minutes', 'result'],
    style: { head: [], border: [], compact: true },
  });
  for (const one of listed) table.push([one.name, minutes(one), one.result]);
  print(table.toString());
}

function printResults({ json }: ProofOptions, results: readonly CaseResult[]): void {
  if (json) return print(JSON.stringify(results, null, 2));
  for (const result of results) {
    const minutes = (result.seconds / 60).toFixed(1);
    print(`${result.name}: ${resultText(result)}, ${minutes} min, seed ${result.seed}`);
    for (const line of figureLines(result)) print(`  ${line}`);
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints a message for the user; stdout is for results. */
function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
