import type { OutputResult } from '../product/tasks.ts';
import { median, rounded } from '../support/figures.ts';
import type { Machine } from '../support/machine.ts';
import type { BenchResult } from '../support/table.ts';

/** One round: the export to a local file, and the landing of the same batch. */
export interface LandingRound {
  readonly local: OutputResult;
  readonly landed: OutputResult;
}

/** Goals: the share of the export's speed, and the memory of a process that lands a million rows. */
const speedRatioMin = 0.8;
const peakRssMbMax = 300;

/** Medians and ratios of the rounds. */
export function landingResultOf({
  machine,
  rows,
  rounds,
}: {
  readonly machine: Machine;
  readonly rows: number;
  readonly rounds: readonly LandingRound[];
}): BenchResult {
  const rate = (results: readonly OutputResult[]) =>
    Math.round(rows / median(results.map(({ seconds }) => seconds)));
  const peak = (results: readonly OutputResult[]) => Math.max(...results.map(({ peakRssMb }) => peakRssMb));
  const local = rounds.map((round) => round.local);
  const landed = rounds.map((round) => round.landed);
  const ratio = rounded(rate(landed) / rate(local), 2);
  return {
    name: 'landing',
    head: ['', 'rows/s', 'of the export', 'peak MB'],
    rows: [
      ['nightshift export, local Parquet', rate(local).toLocaleString('en'), 1, peak(local)],
      ['landing in a bucket, Parquet', rate(landed).toLocaleString('en'), ratio, peak(landed)],
    ],
    notes: [
      `A batch of ${rows.toLocaleString('en')} rows; the bucket is a stand-in on loopback that verifies signatures and digests.`,
      `Medians of ${rounds.length} rounds, in turns, each run in a process of its own. Goals: ${speedRatioMin} of the speed, ${peakRssMbMax} MB.`,
    ],
    json: {
      ratio,
      goals: { ratio_min: speedRatioMin, peak_rss_mb_max: peakRssMbMax },
      rows_per_second: { export: rate(local), landing: rate(landed) },
      peak_rss_mb: { export: peak(local), landing: peak(landed) },
      work: { rows },
      machine,
      rounds,
    },
  };
}
