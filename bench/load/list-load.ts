import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Closers } from '../../src/closers.ts';
import type { PrivateServer } from '../../src/infra/private-postgres/index.ts';
import { writeList, type ListOptions } from '../data/company-list.ts';
import { expectedOf } from '../data/expected.ts';
import { writeSnapshot } from '../data/snapshot-file.ts';
import { createWorld, type World } from '../data/world.ts';
import { startProduct } from '../product/product-process.ts';
import { loadResult, type LoadResult, type Task } from '../product/tasks.ts';
import { settleDatabase, withClient } from '../support/bench-server.ts';
import { expectEqual } from '../support/expect.ts';
import { say } from '../support/say.ts';

/** A long list, and the rows and companies in it. */
export interface LongList {
  readonly file: string;
  readonly bytes: number;
  readonly rows: number;
  readonly companies: number;
}

/** One round: csv-parse alone, and the product's load of the same file. */
export interface ListRound {
  readonly bare: LoadResult;
  readonly ours: LoadResult;
}

/** Writes a list of about so many rows, 2 % of which name a company a second time or none. Never more: there is a limit. */
export async function makeLongList(folder: string, rows: number, seed: number): Promise<LongList> {
  const companies = Math.floor(rows * 0.979);
  const list: ListOptions = { seed, companies, names: companies };
  const file = join(folder, 'long-list.csv');
  await writeList(list, file);
  const expected = expectedOf(list, smallWorld(seed));
  return { file, bytes: (await stat(file)).size, rows: expected.rows, companies };
}

/** Nobody is looked up here, so it may be as small as it gets. */
function smallWorld(seed: number): World {
  return createWorld({ seed, companies: 1, creatives: 5000 });
}

/** Loads a snapshot that is hardly there: a list is only taken for sources that there are. */
export async function loadSmallSnapshot(
  folder: string,
  seed: number,
  home: string,
  closers: Closers,
): Promise<void> {
  const file = join(folder, 'small-snapshot.csv');
  await writeSnapshot(smallWorld(seed), file);
  await runAlone({ kind: 'snapshot', file }, home, closers);
}

/** Each in a process of its own: its peak of memory is its own. */
export async function runListRound(
  list: LongList,
  server: PrivateServer,
  closers: Closers,
): Promise<ListRound> {
  const bare = await runAlone({ kind: 'parse', file: list.file }, server.home, closers);
  expectEqual('Rows that csv-parse read', bare.rows, list.rows);
  await settleDatabase(server);
  const ours = await runAlone({ kind: 'load', file: list.file }, server.home, closers);
  expectEqual('Rows that were loaded', ours.rows, list.rows);
  expectEqual('Companies in them', await countLookups(server, ours.batchId), list.companies);
  say(`  csv-parse ${bare.seconds.toFixed(2)} s, load ${ours.seconds.toFixed(2)} s at ${ours.peakRssMb} MB`);
  return { bare, ours };
}

/** Runs one task in a process of the product that has done nothing else. */
export async function runAlone(task: Task, home: string, closers: Closers): Promise<LoadResult> {
  const product = startProduct(home, closers);
  const result = loadResult.parse(await product.run(task));
  await product.close();
  return result;
}

async function countLookups(server: PrivateServer, batchId: number | null): Promise<number | undefined> {
  const count = 'SELECT count(*)::integer AS n FROM nightshift.lookups WHERE batch_id = $1';
  return withClient(server.url('postgres'), async (client) => {
    const counted = await client.query<{ n: number }>(count, [batchId]);
    return counted.rows[0]?.n;
  });
}
