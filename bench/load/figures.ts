import type { Machine } from '../support/machine.ts';
import type { ListRound, LongList } from './list-load.ts';
import type { SnapshotRound } from './snapshot-load.ts';

/** All measurements. */
export interface LoadFigures {
  readonly machine: Machine;
  readonly list: LongList;
  readonly lists: readonly ListRound[];
  readonly ads: number;
  readonly snapshots: readonly SnapshotRound[];
}
