import { median, rounded } from '../support/figures.ts';
import type { Machine } from '../support/machine.ts';
import type { BenchResult } from '../support/table.ts';
import { limit, type PacedRun } from './source.ts';

/** Setups to compare; no queue: the bare loop. */
export interface PacedKind {
  readonly queue: 'postgres' | 'redis' | null;
  readonly workers: number;
}

export type PacedRounds = ReadonlyMap<PacedKind, readonly PacedRun[]>;

export interface PacedFigures {
  readonly machine: Machine;
  readonly lookups: number;
  readonly rounds: PacedRounds;
}

/** Medians; each run beside the bare loop of its round. */
export function pacedResult({ machine, lookups, rounds }: PacedFigures): BenchResult {
  const bare = [...rounds].find(([{ queue }]) => queue === null)?.[1] ?? [];
  const lines = [...rounds].map(([kind, runs]) => ({
    kind,
    runs,
    share: rounded(median(runs.map(({ share }) => share))),
    addedMs: rounded(
      median(runs.map(({ msPerCall }, i) => msPerCall - (bare[i]?.msPerCall ?? Number.NaN))),
      2,
    ),
    worstSecond: Math.max(...runs.map(({ worstSecond }) => worstSecond)),
  }));
  return {
    name: 'paced',
    head: ['', 'workers', 'share of the pace', 'ms more per lookup', 'most in a second'],
    rows: lines.map(({ kind, share, addedMs, worstSecond }) => [
      kind.queue === null ? 'bare loop: no record, no queue' : `ours, queue on ${kind.queue}`,
      kind.workers,
      share,
      addedMs,
      worstSecond,
    ]),
    notes: [
      `${lookups} lookups at a source that allows ${limit.requestsPerSecond} a second and ${limit.burst} more in any one, and answers after 20 to 200 ms; it counts.`,
      `Medians of ${bare.length} rounds, in turns; the most in a second is the worst of all rounds.`,
      'From the first call to the last: the start of the workers and the last chunks, with which not all have work, count against ours.',
    ],
    json: {
      lookups,
      limit,
      kinds: lines.map(({ kind, runs, ...line }) => ({ ...kind, ...line, rounds: runs })),
      machine,
    },
  };
}
