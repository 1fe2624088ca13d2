import type { VerifyResult } from '../product/tasks.ts';
import { median, rounded } from '../support/figures.ts';
import type { Machine } from '../support/machine.ts';
import type { BenchResult } from '../support/table.ts';

/** Goals: seconds of a full run per million lookups, and of a run after 100,000 more. */
const goals = { full_s_per_million_max: 10, new_100k_s_max: 5 };

interface VerifyFigures {
  readonly machine: Machine;
  readonly lookups: number;
  readonly full: VerifyResult;
  /** Runs from the checkpoints, each after one more batch. */
  readonly rounds: readonly VerifyResult[];
}

/** The full run per million lookups, and the median of the later ones. */
export function verifyResultOf({ machine, lookups, full, rounds }: VerifyFigures): BenchResult {
  const perMillion = rounded((full.seconds / lookups) * 1e6, 2);
  const seconds = rounded(median(rounds.map((round) => round.seconds)), 2);
  const peak = Math.max(...rounds.map(({ peakRssMb }) => peakRssMb));
  const rows = rounds[0]?.rows ?? 0;
  return {
    name: 'verify',
    head: ['', 'lookups read', 'seconds', 'seconds per million', 'peak MB'],
    rows: [
      ['verify --full', full.rows.toLocaleString('en'), rounded(full.seconds, 2), perMillion, full.peakRssMb],
      ['verify, from its checkpoints', rows.toLocaleString('en'), seconds, '', peak],
    ],
    notes: [
      `Finished batches of up to a million lookups, with rows, answers and charges; then ${rounds.length} more batches, each followed by a run.`,
      `Each run in a process of its own. Goals: ${goals.full_s_per_million_max} s per million, ${goals.new_100k_s_max} s for 100,000 more.`,
    ],
    json: {
      ratios: { verify_full_s_per_million: perMillion, verify_new_100k_s: seconds },
      goals,
      peak_rss_mb: { full: full.peakRssMb, later: peak },
      work: { lookups, new_lookups: rows },
      machine,
      full,
      rounds,
    },
  };
}
