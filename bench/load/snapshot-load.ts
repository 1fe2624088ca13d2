import { join } from 'node:path';
import type { Closers } from '../../src/closers.ts';
import { createClosers } from '../../src/closers.ts';
import type { PrivateServer } from '../../src/postgres-server/index.ts';
import { loadSnapshot, type CommandRun } from '../product/command.ts';
import { connect, openBenchServer, withClient } from '../support/bench-server.ts';
import { copyIn, copyOut } from '../support/copy.ts';
import { expectEqual } from '../support/expect.ts';
import { timed } from '../support/figures.ts';
import { say } from '../support/say.ts';

/** One round with the same ads, each in an empty database. */
export interface SnapshotRound {
  readonly ours: CommandRun;
  /** Seconds of COPY of ready-made rows into the store's own tables, with their keys and indexes. */
  readonly storeSeconds: number;
  /** Seconds of COPY of the unchanged file into one table without a key. */
  readonly heapSeconds: number;
}

/** Server of the rounds, and their input. */
export interface SnapshotSetting {
  readonly folder: string;
  readonly file: string;
  readonly rows: number;
  readonly closers: Closers;
}

/** Tables that a load of a snapshot fills, in order. */
const storeTables = [
  'advertisers',
  'advertiser_names',
  'advertiser_words',
  'ads',
  'ad_versions',
  'snapshot_ads',
];

/** Loads the snapshot with the product, then copies what it stored into the same tables of another, empty database. */
export async function runSnapshotRound(setting: SnapshotSetting): Promise<SnapshotRound> {
  const ours = await withServer(setting, (server) => loadAndDump(setting, server));
  const copied = await withServer(setting, (server) => copyBack(setting, server));
  say(`  snapshot load ${ours.seconds.toFixed(2)} s, COPY ${copied.storeSeconds.toFixed(2)} s`);
  return { ours, ...copied };
}

async function loadAndDump(setting: SnapshotSetting, server: PrivateServer): Promise<CommandRun> {
  const ours = await loadSnapshot(setting, server.home, setting.closers);
  await withClient(server.url('postgres'), async (client) => {
    for (const table of storeTables)
      await copyOut(client, `COPY nightshift.${table} TO STDOUT`, dumpOf(setting, table));
  });
  return ours;
}

async function copyBack(
  setting: SnapshotSetting,
  server: PrivateServer,
): Promise<Omit<SnapshotRound, 'ours'>> {
  const client = await connect(server.url('postgres'));
  try {
    const store = await timed(async () => {
      for (const table of storeTables)
        await copyIn(client, `COPY nightshift.${table} FROM STDIN`, dumpOf(setting, table));
    });
    const stored = await client.query<{ n: number }>(
      'SELECT count(*)::integer AS n FROM nightshift.snapshot_ads',
    );
    expectEqual('Ads that were copied', stored.rows[0]?.n, setting.rows);
    await client.query(heapTable);
    const heap = await timed(() => copyIn(client, 'COPY heap FROM STDIN (FORMAT csv, HEADER)', setting.file));
    return { storeSeconds: store.seconds, heapSeconds: heap.seconds };
  } finally {
    await client.end();
  }
}

const heapTable = `CREATE TABLE heap (advertiser_id text, creative_id text, ad_format_type text, disclosed_name text, legal_name text,
  location text, first_shown date, last_shown date)`;

function dumpOf({ folder }: SnapshotSetting, table: string): string {
  return join(folder, `${table}.copy`);
}

/** Runs `work` on a new server, and removes it afterwards. */
async function withServer<T>(
  { folder, closers }: SnapshotSetting,
  work: (server: PrivateServer) => Promise<T>,
): Promise<T> {
  const own = closers.add(createClosers(), (opened) => opened.close());
  try {
    return await work(await openBenchServer(join(folder, `snapshot-${process.hrtime.bigint()}`), own));
  } finally {
    await own.close();
  }
}
