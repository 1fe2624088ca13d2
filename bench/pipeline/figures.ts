import type { Machine } from '../support/machine.ts';
import type { NaiveRun } from './naive-runs.ts';
import type { Round } from './runs.ts';
import type { ListFile } from './setting.ts';

/** All measurements. */
export interface PipelineFigures {
  readonly machine: Machine;
  readonly list: ListFile;
  readonly creatives: number;
  readonly rounds: readonly Round[];
  readonly naive: NaiveRun | null;
  /** Duration of `verify` over all runs together. */
  readonly verifySeconds: number;
}
