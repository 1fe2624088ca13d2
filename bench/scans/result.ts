import { percentile, rounded } from '../support/figures.ts';
import type { Machine } from '../support/machine.ts';
import type { BenchResult } from '../support/table.ts';
import type { Lateness } from './run.ts';

/** A run on one queue: the product, and bare job schedulers at another minute. */
export interface ScansRun {
  readonly queue: 'postgres' | 'redis';
  readonly ours: Lateness;
  readonly bare: readonly number[];
}

export interface ScansFigures {
  readonly machine: Machine;
  readonly schedules: number;
  readonly companies: number;
  readonly workers: number;
  readonly runs: readonly ScansRun[];
}

/** Result over all scans of several runs on a queue. */
export function scansResult({ machine, schedules, companies, workers, runs }: ScansFigures): BenchResult {
  const queues = [...new Set(runs.map(({ queue }) => queue))];
  const lines = queues.flatMap((queue) => {
    const of = runs.filter((run) => run.queue === queue);
    return [
      lineOf(
        `bare job schedulers on ${queue}: heard of`,
        of.flatMap(({ bare }) => bare),
      ),
      ...steps.map(([step, words]) =>
        lineOf(
          `ours, queue on ${queue}: ${words}`,
          of.flatMap(({ ours }) => ours[step]),
        ),
      ),
    ];
  });
  return {
    name: 'scans',
    head: ['seconds after the tick', 'p50', 'p99', 'last'],
    rows: lines.map(({ what, p50, p99, last }) => [what, p50, p99, last]),
    notes: [
      `${schedules} schedules of ${companies} companies each, all due in the same minute, on ${workers} workers; ${runs.length / queues.length} run(s) a queue.`,
      'Noticed: the scan is on record. Begun: its list is loaded as a batch. Evaluated: what changed is known and told.',
      'The bare job schedulers have one worker in the process that measures, and do nothing with a tick.',
    ],
    json: { schedules, companies, workers, lines, machine },
  };
}

const steps = [
  ['noticed', 'noticed'],
  ['begun', 'begun'],
  ['finished', 'looked up'],
  ['evaluated', 'evaluated'],
] as const;

function lineOf(what: string, lateMs: readonly number[]) {
  const at = (part: number) => rounded(percentile(lateMs, part) / 1000, 2);
  return { what, p50: at(0.5), p99: at(0.99), last: at(1) };
}
