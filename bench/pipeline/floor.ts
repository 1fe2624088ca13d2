import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { connect } from '../support/bench-server.ts';
import { copyIn, copyOut } from '../support/copy.ts';
import { timed } from '../support/figures.ts';
import * as floorSql from './floor-sql.ts';

/** Seconds of a run by stage; `rows` and `ads` are the two exports. */
export interface FloorResult {
  readonly batchId: number;
  readonly load: number;
  readonly work: number;
  readonly rows: number;
  readonly ads: number;
}

export interface FloorOptions {
  /** A login of the application's role: the same rights, triggers and checks as the product. */
  readonly url: string;
  /** File with the keys of each row. */
  readonly keyedFile: string;
  readonly rowsTarget: string;
  readonly adsTarget: string;
}

const priceMicro = 200_000;

/**
 * Produces the same result by set-based SQL alone, in one transaction: the minimum for Postgres.
 *
 * Omitted: parsing and validating CSV, normalising names and domains, searching and evaluating advertisers, leases, queue, progress, and
 * everything that lets a run continue after a crash.
 */
export async function runFloor(options: FloorOptions): Promise<FloorResult> {
  const client = await connect(options.url, '-c role=nightshift_app -c work_mem=128MB');
  try {
    const load = await timed(() => loadFloor(client, options.keyedFile));
    const work = await timed(() => workFloor(client, load.value));
    const { batchId } = load.value;
    const rows = await timed(() => copyOut(client, floorSql.copyRows(batchId), options.rowsTarget));
    const ads = await timed(() => copyOut(client, floorSql.copyAds(batchId), options.adsTarget));
    return { batchId, load: load.seconds, work: work.seconds, rows: rows.seconds, ads: ads.seconds };
  } finally {
    await client.end();
  }
}

/** Stores a finished batch as the floor does, without exports. Returns its id. */
export async function storeFinished({
  url,
  keyedFile,
}: Pick<FloorOptions, 'url' | 'keyedFile'>): Promise<number> {
  const client = await connect(url, '-c role=nightshift_app -c work_mem=128MB');
  try {
    const batch = await loadFloor(client, keyedFile);
    await workFloor(client, batch);
    return batch.batchId;
  } finally {
    await client.end();
  }
}

interface FloorBatch {
  readonly batchId: number;
  readonly accountId: number;
}

async function loadFloor(client: pg.Client, keyedFile: string): Promise<FloorBatch> {
  await client.query('BEGIN');
  await client.query(floorSql.stage);
  await copyIn(client, floorSql.copyStaged, keyedFile);
  const batch = await client.query<{ id: string; account_id: string }>(floorSql.insertBatch, [randomUUID()]);
  const batchId = Number(batch.rows[0]?.id);
  await client.query(floorSql.makeSubjects);
  await client.query('ANALYZE pg_temp.subjects');
  await client.query(floorSql.insertRows, [batchId]);
  return { batchId, accountId: Number(batch.rows[0]?.account_id) };
}

async function workFloor(client: pg.Client, { batchId, accountId }: FloorBatch): Promise<void> {
  await client.query(floorSql.reserve, [accountId, priceMicro]);
  await client.query(floorSql.insertMatches);
  await client.query(floorSql.insertLookups, [accountId, batchId, priceMicro]);
  await client.query(floorSql.resolve, [accountId, batchId]);
  await client.query(floorSql.insertChunks, [batchId, priceMicro]);
  await client.query(floorSql.finishBatch, [batchId]);
  await client.query('COMMIT');
}
