import { join } from 'node:path';
import type { Closers } from '../../src/closers.ts';
import type { PrivateServer } from '../../src/postgres-server/index.ts';
import type { ListOptions } from '../data/company-list.ts';
import { runCommand } from '../product/command.ts';
import { startProduct } from '../product/product-process.ts';
import { leadsResult, prepareResult, type LeadsResult, type PrepareResult } from '../product/tasks.ts';
import { openBenchServer, settleDatabase, withClient } from '../support/bench-server.ts';
import { readTables, type TableBytes } from '../support/disk.ts';
import { expectEqual } from '../support/expect.ts';
import { say } from '../support/say.ts';
import { openFolder } from '../support/workplace.ts';
import { writeLeadList } from './lead-list.ts';

/** A server with a large finished batch of leads, and its prepared data. */
export interface ListSetting {
  readonly server: PrivateServer;
  readonly list: ListOptions;
  readonly rows: number;
  readonly made: LeadsResult;
  readonly prepared: PrepareResult;
  /** Bytes of the database before the batch, by table with its indexes. */
  readonly before: TableBytes;
}

/** Rows without a company per 1,000 companies; 19 others name a company a second time. */
const rejectsPerMille = 12;
const rowsPerCompany = 1.031;

/** Writes the file and lets the product load it, look it up and prepare it. */
export async function openListSetting(
  { seed, rows }: { readonly seed: number; readonly rows: number },
  closers: Closers,
): Promise<ListSetting> {
  const folder = await openFolder(closers);
  const server = await openBenchServer(join(folder, 'home'), closers);
  await runCommand(['snapshot', 'load', '--sample'], server.home, closers);
  await runCommand(['credits', 'grant', '1000000', '--reason', 'benchmark'], server.home, closers);
  const before = await readTables(server);
  const companies = Math.round(rows / rowsPerCompany);
  const list = { seed, companies, names: companies, rejectsPerMille };
  const file = join(folder, 'leads.csv');
  const written = await writeLeadList(list, file);
  say(`Loading ${written.toLocaleString('en')} leads and looking them up`);
  const made = leadsResult.parse(
    await inProduct(server.home, { kind: 'leads', file, seed, hasFailures: true }, closers),
  );
  await forgetPrepared(server);
  say('Preparing what pages are quick by');
  const prepared = prepareResult.parse(await inProduct(server.home, { kind: 'prepare' }, closers));
  await settleDatabase(server);
  return { server, list, rows: written, made, prepared, before };
}

/** Runs in its own process. */
async function inProduct(
  home: string,
  task: Parameters<ReturnType<typeof startProduct>['run']>[0],
  closers: Closers,
): Promise<unknown> {
  const product = startProduct(home, closers);
  const value = await product.run(task);
  await product.close();
  return value;
}

/** The dispatcher of the run may have started it. */
async function forgetPrepared(server: PrivateServer): Promise<void> {
  await withClient(server.url('postgres'), (client) =>
    client.query(
      'TRUNCATE nightshift.answer_summaries, nightshift.search_blocks, nightshift.batch_facets, nightshift.figures',
    ),
  );
}

/** Size of the batch's tables, and of those that exist only for its pages; in bytes with indexes. */
export async function readSizes(server: PrivateServer): Promise<Readonly<Record<string, number>>> {
  return withClient(server.url('postgres'), async (client) => {
    const { rows } = await client.query<{ name: string; bytes: string }>(
      `SELECT name, pg_total_relation_size('nightshift.' || name) AS bytes FROM unnest($1::text[]) AS name`,
      [[...recordTables, ...preparedTables]],
    );
    expectEqual('Tables that were measured', rows.length, recordTables.length + preparedTables.length);
    return Object.fromEntries(rows.map(({ name, bytes }) => [name, Number(bytes)]));
  });
}

export const recordTables = [
  'row_blocks',
  'lookups',
  'chunks',
  'email_results',
  'answers',
  'answer_advertisers',
  'ads',
  'ad_versions',
  'ad_variants',
] as const;
export const preparedTables = ['answer_summaries', 'search_blocks', 'batch_facets', 'figures'] as const;
