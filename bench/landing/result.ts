import type { OutputResult } from '../product/tasks.ts';
import { median, rounded } from '../support/figures.ts';
import type { Machine } from '../support/machine.ts';
import type { BenchResult } from '../support/table.ts';

/** One round: the export to a local file, and the landing of the same batch. */
export interface LandingRound {
  readonly local: OutputResult;
  readonly landed: OutputResult;
}

/** Peak memory in MB of 10^6 bytes: of the command that exports, and of the worker that lands. */
export interface LandingPeaks {
  readonly local: number;
  readonly landed: number;
}

/** Goals: the share of the export's speed, and the memory of a process that lands a million rows. */
const speedRatioMin = 0.8;
const peakRssMbMax = 300;

/** Medians and ratios of the rounds. */
export function landingResultOf({
  machine,
  rows,
  rounds,
  peaks,
}: {
  readonly machine: Machine;
  readonly rows: number;
  readonly rounds: readonly LandingRound[];
  readonly peaks: LandingPeaks;
}): BenchResult {
  const rate = (results: readonly OutputResult[]) =>
    Math.round(rows / median(results.map(({ seconds }) => seconds)));
  const local = rounds.map((round) => round.local);
  const landed = rounds.map((round) => round.landed);
  const ratio = rounded(rate(landed) / rate(local), 2);
  return {
    name: 'landing',
    head: ['', 'rows/s', 'of the export', 'peak MB'],
    rows: [
      ['nightshift export, local Parquet', rate(local).toLocaleString('en'), 1, peaks.local],
      ['landing in a bucket, Parquet', rate(landed).toLocaleString('en'), ratio, peaks.landed],
    ],
    notes: [
      `A batch of ${rows.toLocaleString('en')} rows; the bucket is a stand-in on loopback that verifies signatures and digests.`,
      `Medians of ${rounds.length} rounds, in turns, each run in a process of its own; memory is that of \`export\` and of \`work\`. Goals: ${speedRatioMin} of the speed, ${peakRssMbMax} MB.`,
    ],
    json: {
      ratio,
      goals: { ratio_min: speedRatioMin, peak_rss_mb_max: peakRssMbMax },
      rows_per_second: { export: rate(local), landing: rate(landed) },
      peak_rss_mb: { export: peaks.local, landing: peaks.landed },
      work: { rows },
      machine,
      rounds,
    },
  };
}
