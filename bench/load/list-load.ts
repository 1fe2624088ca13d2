import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Closers } from '../../src/closers.ts';
import type { PrivateServer } from '../../src/postgres-server/index.ts';
import { writeList, type ListOptions } from '../data/company-list.ts';
import { expectedOf } from '../data/expected.ts';
import { writeSnapshot } from '../data/snapshot-file.ts';
import { createFixture, type Fixture } from '../data/fixture.ts';
import { loadSnapshot, runCommand, type CommandRun } from '../product/command.ts';
import { startProduct } from '../product/product-process.ts';
import { parseResult, type ParseResult } from '../product/tasks.ts';
import { settleDatabase, withClient } from '../support/bench-server.ts';
import { expectEqual } from '../support/expect.ts';
import { say } from '../support/say.ts';

/** A long file, with its number of rows and companies. */
export interface LongList {
  readonly file: string;
  readonly bytes: number;
  readonly rows: number;
  readonly companies: number;
}

/** One round: csv-parse alone, and the product's load of the same file. */
export interface ListRound {
  readonly bare: ParseResult;
  readonly ours: CommandRun;
}

/** Writes a file of about this many rows, 2 % of which repeat a company or name none. Never more, because there is a limit. */
export async function makeLongList(folder: string, rows: number, seed: number): Promise<LongList> {
  const companies = Math.floor(rows * 0.979);
  const list: ListOptions = { seed, companies, names: companies };
  const file = join(folder, 'long-list.csv');
  await writeList(list, file);
  const expected = expectedOf(list, smallFixture(seed));
  return { file, bytes: (await stat(file)).size, rows: expected.rows, companies };
}

/** Without lookups, the fixture can be minimal. */
function smallFixture(seed: number): Fixture {
  return createFixture({ seed, companies: 1, creatives: 5000 });
}

/** Loads a tiny snapshot, because a batch is accepted only for existing sources. */
export async function loadSmallSnapshot(
  folder: string,
  seed: number,
  home: string,
  closers: Closers,
): Promise<void> {
  const file = join(folder, 'small-snapshot.csv');
  const fixture = smallFixture(seed);
  await writeSnapshot(fixture, file);
  await loadSnapshot({ file, rows: fixture.creatives }, home, closers);
}

/** Each runs in its own process, so that its peak of memory is its own. */
export async function runListRound(
  list: LongList,
  server: PrivateServer,
  closers: Closers,
): Promise<ListRound> {
  const bare = await parseAlone(list.file, server.home, closers);
  expectEqual('Rows that csv-parse read', bare.rows, list.rows);
  await settleDatabase(server);
  const ours = await runCommand(['load', list.file, '--source', 'snapshot', '--again'], server.home, closers);
  expectEqual('What was loaded', await countLoaded(server, loaded.parse(ours.answer).id), {
    rows: list.rows,
    companies: list.companies,
  });
  say(`  csv-parse ${bare.seconds.toFixed(2)} s, load ${ours.seconds.toFixed(2)} s at ${ours.peakRssMb} MB`);
  return { bare, ours };
}

const loaded = z.object({ id: z.string() });

/** Parses the file in a process that has done nothing else. */
async function parseAlone(file: string, home: string, closers: Closers): Promise<ParseResult> {
  const product = startProduct(home, closers);
  const result = parseResult.parse(await product.run({ kind: 'parse', file }));
  await product.close();
  return result;
}

async function countLoaded(server: PrivateServer, batch: string): Promise<unknown> {
  const count = `SELECT (SELECT count(*) FROM nightshift.batch_rows r WHERE r.batch_id = b.id)::integer AS rows,
      (SELECT count(*) FROM nightshift.all_lookups l WHERE l.batch_id = b.id)::integer AS companies
    FROM nightshift.batches b WHERE b.public_id = $1`;
  return withClient(
    server.url('postgres'),
    async (client) => (await client.query<object>(count, [batch])).rows[0],
  );
}
