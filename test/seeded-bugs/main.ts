import { join } from 'node:path';
import { reportCounts } from '../support/ci/counts.ts';
import { buildOnce } from '../support/ci/build-once.ts';
import { useScratchFolder } from '../support/ci/scratch-folder.ts';
import { seededBugs, type SeededBug } from './bugs.ts';
import { inLanes, openLanes, type Lane } from './lane.ts';
import { printJson, printMarkdown, printTable } from './print.ts';
import { prove, proveSound, type Baseline, type Proof } from './prove.ts';

/**
 * `npm run test:seeded-bugs -- [--json | --markdown] [--part=1/3] [NAME…]`: removes one guard after the other in copies of the tree, and
 * expects the tests to fail. With `--part=1/3` it takes the first, fourth, seventh … bug, and counts the others as skipped. Exits with 0
 * if every bug that it took was detected.
 */
async function main(args: readonly string[]): Promise<number> {
  const names = args.filter((arg) => !arg.startsWith('--'));
  const wanted = seededBugs.filter(({ name }) => names.length === 0 || names.includes(name));
  const bugs = partOf(wanted, args);
  const startedMs = performance.now();
  const since = () => ((performance.now() - startedMs) / 1000).toFixed(0);
  const clearScratch = useScratchFolder();
  buildOnce();
  const lanes = await openLanes(join(import.meta.dirname, '../..'));
  try {
    const baseline = await proveSound(lanes, bugs);
    const unsound = [...baseline.unsound].map(([name, reason]) => `"${name}" fails without a bug: ${reason}`);
    for (const line of unsound) printProgress(line);
    printProgress(`${baseline.ran - unsound.length} tests pass without a bug (${since()} s)`);
    const proofs = await inLanes(lanes, bugs, (lane, bug) => proveAndReport(lane, bug, baseline));
    printProgress(`${proofs.length} bugs in ${since()} s`);
    process.stdout.write(printerOf(args)(proofs));
    const missed = proofs.filter(({ verdict }) => verdict !== 'caught');
    const caught = proofs.length - missed.length;
    reportCounts(
      { passed: caught, failed: missed.length + unsound.length, skipped: wanted.length - bugs.length },
      [...unsound, ...missed.map(({ verdict, bug }) => `${verdict}: ${bug.name}`)],
    );
    return caught > 0 && missed.length + unsound.length === 0 ? 0 : 1;
  } finally {
    await Promise.all(lanes.map((lane) => lane.close()));
    clearScratch();
  }
}

/** The part of the bugs that `--part=1/3` chooses; all without it. */
function partOf(bugs: readonly SeededBug[], args: readonly string[]): readonly SeededBug[] {
  const [, part, parts] =
    /^--part=(\d+)\/(\d+)$/.exec(args.find((arg) => arg.startsWith('--part=')) ?? '') ?? [];
  if (part === undefined) return bugs;
  return bugs.filter((_, index) => index % Number(parts) === Number(part) - 1);
}

async function proveAndReport(lane: Lane, bug: SeededBug, baseline: Baseline): Promise<Proof> {
  const proof = await prove(lane, bug, baseline);
  printProgress(`${proof.verdict}: ${bug.name} (${proof.seconds.toFixed(0)} s)`);
  return proof;
}

function printerOf(args: readonly string[]): (proofs: readonly Proof[]) => string {
  if (args.includes('--json')) return printJson;
  return args.includes('--markdown') ? printMarkdown : printTable;
}

function printProgress(text: string): void {
  process.stderr.write(`${text}\n`);
}

process.exitCode = await main(process.argv.slice(2));
