import { totalOf } from '../pipeline/runs.ts';
import type { EnrichResult } from '../product/tasks.ts';
import { median, rounded } from '../support/figures.ts';
import type { Machine } from '../support/machine.ts';
import type { BenchResult } from '../support/table.ts';

/** A short and a long list, one after the other. */
export interface GrowthRound {
  readonly small: EnrichResult;
  readonly large: EnrichResult;
}

export interface GrowthFigures {
  readonly machine: Machine;
  readonly creatives: number;
  readonly names: number;
  /** Companies of the short and of the long list. */
  readonly small: number;
  readonly large: number;
  readonly rounds: readonly GrowthRound[];
  /** Ten long lists one after the other; empty without `--full`. */
  readonly batches: readonly EnrichResult[];
}

/** Costs of a company, and their ratios to the short list. */
export function growthResult(figures: GrowthFigures): BenchResult {
  const { machine, creatives, names, rounds, batches } = figures;
  const few = costOf(
    figures.small,
    rounds.map((round) => round.small),
    median,
  );
  const many = costOf(
    figures.large,
    rounds.map((round) => round.large),
    median,
  );
  const most = batches.length === 0 ? null : costOf(figures.large * batches.length, batches, sum);
  const over = (cost: Cost) => rounded(cost.seconds_per_company / few.seconds_per_company, 2);
  const ratios = {
    cost_1m_over_20k: over(many),
    cost_10m_over_20k: most === null ? null : over(most),
  };
  const count = (value: number) => value.toLocaleString('en');
  return {
    name: 'growth',
    head: ['companies', 'load', 'work', 'export', 'seconds', 'µs per company', 'peak MB'],
    rows: [few, many, ...(most === null ? [] : [most])].map((cost) => [
      count(cost.companies),
      cost.load,
      cost.work,
      cost.export,
      cost.seconds,
      rounded(cost.seconds_per_company * 1e6, 1),
      cost.peak_rss_mb,
    ]),
    notes: [
      `A company of the long list costs ${ratios.cost_1m_over_20k} times one of the short list. Medians of ${rounds.length} rounds, both in turns, each in a process of its own.`,
      ...(most === null
        ? ['Ten long lists were not run: --full.']
        : [
            `Of ${batches.length} long lists, one after the other in one process, it costs ${ratios.cost_10m_over_20k} times.`,
          ]),
      `${count(creatives)} ads in the snapshot, of ${count(names)} advertisers; a longer list names them again, as companies of different domains.`,
    ],
    json: { ratios, small: few, large: many, full: most, machine, rounds, batches },
  };
}

interface Cost {
  readonly companies: number;
  readonly load: number;
  readonly work: number;
  readonly export: number;
  readonly seconds: number;
  readonly seconds_per_company: number;
  readonly peak_rss_mb: number;
}

function costOf(
  companies: number,
  runs: readonly EnrichResult[],
  together: (seconds: readonly number[]) => number,
): Cost {
  const secondsOf = (of: (run: EnrichResult) => number) => rounded(together(runs.map(of)));
  const seconds = secondsOf(totalOf);
  return {
    companies,
    load: secondsOf((run) => run.load),
    work: secondsOf((run) => run.work),
    export: secondsOf((run) => run.rows),
    seconds,
    seconds_per_company: seconds / companies,
    peak_rss_mb: Math.max(...runs.map((run) => run.peakRssMb)),
  };
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}
