import { join } from 'node:path';
import type { Closers } from '../../src/closers.ts';
import type { PrivateServer } from '../../src/postgres-server/index.ts';
import { writeKeyedList, writeList, type ListOptions } from '../data/company-list.ts';
import { expectedOf, type Expected } from '../data/expected.ts';
import { writeSnapshot } from '../data/snapshot-file.ts';
import { createFixture, type Fixture, type FixtureOptions } from '../data/fixture.ts';
import { loadSnapshot } from '../product/command.ts';
import { openBenchServer } from '../support/bench-server.ts';
import { sizeOf, type BenchOptions } from '../support/options.ts';
import { say } from '../support/say.ts';
import { openFolder } from '../support/workplace.ts';

/** Place of the runs of a pipeline benchmark: a server with a snapshot in it, and a folder for files. */
export interface Setting {
  readonly folder: string;
  readonly server: PrivateServer;
  readonly fixture: Fixture;
  /** The file that the snapshot was loaded from. */
  readonly snapshotFile: string;
}

/** A file on disk, and the expected result of its batch. */
export interface ListFile {
  readonly file: string;
  /** The same file with the keys of each row. */
  readonly keyedFile: string;
  readonly expected: Expected;
}

const companiesDefault = { full: 20_000, smallest: 200 };
const creativesDefault = { full: 1_000_000, smallest: 15_000 };

/** Sizes of the pipeline. */
export function pipelineFixture(options: BenchOptions): FixtureOptions {
  const { seed, companies, creatives } = options;
  return {
    seed,
    companies: companies ?? sizeOf(options, companiesDefault),
    creatives: creatives ?? sizeOf(options, creativesDefault),
  };
}

/** Generates the data, starts a separate server and loads the snapshot with the product. Takes about a minute for a million ads. */
export async function openSetting(options: FixtureOptions, closers: Closers): Promise<Setting> {
  const fixture = createFixture(options);
  const folder = await openFolder(closers);
  const server = await openBenchServer(join(folder, 'home'), closers);
  const snapshot = join(folder, 'snapshot.csv');
  say(`Making a snapshot of ${fixture.creatives.toLocaleString('en')} ads`);
  await writeSnapshot(fixture, snapshot);
  say('Loading it');
  await loadSnapshot({ file: snapshot, rows: fixture.creatives }, server.home, closers);
  return { folder, server, fixture, snapshotFile: snapshot };
}

/** Writes a file of `companies` with the names of the fixture. */
export async function makeList({ folder, fixture }: Setting, companies: number): Promise<ListFile> {
  const list: ListOptions = { seed: fixture.seed, companies, names: fixture.companies };
  const file = join(folder, `companies-${companies}.csv`);
  const keyedFile = join(folder, `companies-${companies}-keyed.csv`);
  await writeList(list, file);
  await writeKeyedList(list, keyedFile);
  return { file, keyedFile, expected: expectedOf(list, fixture) };
}
