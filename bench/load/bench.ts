import { join } from 'node:path';
import type { Closers } from '../../src/closers.ts';
import { writeSnapshot } from '../data/snapshot-file.ts';
import { createFixture } from '../data/fixture.ts';
import { openBenchServer } from '../support/bench-server.ts';
import { withClosers } from '../support/closing.ts';
import { readMachine } from '../support/machine.ts';
import { sizeOf, type BenchOptions } from '../support/options.ts';
import { say } from '../support/say.ts';
import type { BenchResult } from '../support/table.ts';
import { openFolder } from '../support/workplace.ts';
import type { LoadFigures } from './figures.ts';
import { loadSmallSnapshot, makeLongList, runListRound, type ListRound } from './list-load.ts';
import { loadResultOf } from './result.ts';
import { runSnapshotRound, type SnapshotRound } from './snapshot-load.ts';

const rowsDefault = { full: 1_000_000, smallest: 6_000 };
/** Ads of the names in a snapshot: about 34 each, as in the benchmark of the pipeline. */
const adsPerName = 50;

/** Measures a million rows: a batch compared with csv-parse alone, and a snapshot compared with COPY alone; memory of each. */
export function benchLoad(options: BenchOptions): Promise<BenchResult> {
  return withClosers(async (closers) => {
    const folder = await openFolder(closers);
    const rows = options.rows ?? sizeOf(options, rowsDefault);
    const { list, lists, machine } = await measureLists(folder, { ...options, rows }, closers);
    const file = join(folder, 'snapshot.csv');
    await writeSnapshot(fixtureOf(rows, options.seed), file);
    const snapshots: SnapshotRound[] = [];
    for (let n = 1; n <= options.rounds; n += 1) {
      say(`Snapshot, round ${n} of ${options.rounds}`);
      snapshots.push(await runSnapshotRound({ folder, file, rows, closers }));
    }
    return loadResultOf({ machine, list, lists, ads: rows, snapshots });
  });
}

function fixtureOf(creatives: number, seed: number) {
  return createFixture({ seed, companies: Math.max(1, Math.floor(creatives / adsPerName) - 100), creatives });
}

async function measureLists(
  folder: string,
  { rows, seed, rounds }: { readonly rows: number; readonly seed: number; readonly rounds: number },
  closers: Closers,
): Promise<Pick<LoadFigures, 'list' | 'lists' | 'machine'>> {
  const list = await makeLongList(folder, rows, seed);
  const server = await openBenchServer(join(folder, 'lists'), closers);
  await loadSmallSnapshot(folder, seed, server.home, closers);
  const lists: ListRound[] = [];
  for (let n = 1; n <= rounds; n += 1) {
    say(`List, round ${n} of ${rounds}`);
    lists.push(await runListRound(list, server, closers));
  }
  return { list, lists, machine: await readMachine(server.url('postgres')) };
}
