import { median, rounded } from '../support/figures.ts';
import type { Host } from '../support/machine.ts';
import type { BenchResult } from '../support/table.ts';
import type { PeerRun } from './runs.ts';

/** Runs of an engine with its chosen size. */
export interface PeerFigures {
  readonly name: string;
  readonly settings: string;
  readonly runs: readonly PeerRun[];
}

export interface PeersFigures {
  readonly host: Host;
  readonly companies: number;
  readonly ours: readonly PeerRun[];
  readonly peers: readonly PeerFigures[];
  /** Lines about engines that were not run. */
  readonly missing: readonly string[];
}

/** Medians of the rounds, and their ratios to ours. */
export function peersResult({ host, companies, ours, peers, missing }: PeersFigures): BenchResult {
  const own = middleOf(ours);
  const others = peers.map(({ name, settings, runs }) => ({ name, settings, ...middleOf(runs) }));
  const [best = null] = [...others].sort((a, b) => a.cpu - b.cpu);
  const count = companies.toLocaleString('en');
  const row = (name: string, { wall, cpu, workerCpu }: PeerRun, settings: string) => [
    name,
    rounded(wall, 2),
    rounded(cpu, 2),
    rounded(workerCpu, 2),
    Math.round((cpu / companies) * 1e6),
    rounded(cpu / own.cpu, 2),
    settings,
  ];
  return {
    name: 'peers',
    head: ['', 'seconds', 'CPU seconds', 'in the worker', 'CPU µs per company', 'of ours', 'settings'],
    rows: [
      row('ours', own, 'its defaults'),
      ...others.map((other) => row(other.name, other, other.settings)),
    ],
    notes: [
      `${count} companies, asked at the same source in the process; outcome, ads and one charge of each are durable, and the balance adds up. Medians of ${ours.length} rounds, in turns.`,
      'CPU: user and system time of the worker, Postgres and Redis with all their processes, from /proc. Starting and a first list are not counted.',
      ...(best === null ? [] : [`${best.name} takes the least CPU time of the others.`]),
      ...missing,
    ],
    json: {
      ratios: { peers_best_over_ours_cpu: best === null ? null : rounded(best.cpu / own.cpu, 2) },
      best: best?.name ?? null,
      ours: own,
      peers: others,
      not_measured: missing,
      work: { companies },
      machine: host,
      rounds: { ours, peers },
    },
  };
}

function middleOf(runs: readonly PeerRun[]): PeerRun {
  return {
    wall: rounded(median(runs.map(({ wall }) => wall))),
    cpu: rounded(median(runs.map(({ cpu }) => cpu))),
    workerCpu: rounded(median(runs.map(({ workerCpu }) => workerCpu))),
  };
}
