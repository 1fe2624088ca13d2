import { join } from 'node:path';
import type { ProductProcess } from '../product/product-process.ts';
import { enrichResult, type EnrichResult } from '../product/tasks.ts';
import { settleDatabase } from '../support/bench-server.ts';
import { expectSameFile } from '../support/expect-same-file.ts';
import { say } from '../support/say.ts';
import { checkRun } from './check-run.ts';
import type { DuckDbFloor } from './duckdb-floor.ts';
import { runFloor, type FloorResult } from './floor.ts';
import type { ListFile, Setting } from './setting.ts';

/** One round: the product and the floors with the same file, one after the other. */
export interface Round {
  readonly ours: EnrichResult;
  readonly floor: FloorResult;
  /** Seconds of DuckDB. */
  readonly duckdb: number;
}

/** Programs that rounds run beside each other. */
export interface Runners {
  readonly product: ProductProcess;
  readonly duckdb: DuckDbFloor;
}

/** Runs all, and compares the data and the exports of each with the expected result. */
export async function runRound(
  setting: Setting,
  list: ListFile,
  { product, duckdb }: Runners,
): Promise<Round> {
  const { server } = setting;
  const targets = targetsIn(setting.folder);
  await settleDatabase(server);
  const { rows, ads } = targets.ours;
  const ours = enrichResult.parse(await product.run({ kind: 'enrich', file: list.file, rows, ads }));
  await checkRun('ours', server.url('postgres'), ours.batchId, list.expected);
  await settleDatabase(server);
  const floor = await runFloor({
    url: server.url('nightshift_app'),
    keyedFile: list.keyedFile,
    rowsTarget: targets.floor.rows,
    adsTarget: targets.floor.ads,
  });
  await checkRun('floor', server.url('postgres'), floor.batchId, list.expected);
  await expectSameFile('The export of rows', rows, targets.floor.rows);
  await expectSameFile('The export of ads', ads, targets.floor.ads);
  const duckdbSeconds = await duckdb.run(list, targets.duckdb.rows);
  await expectSameFile("DuckDB's export of rows", targets.duckdb.rows, rows);
  say(
    `  ours ${totalOf(ours).toFixed(2)} s, floor ${totalOf(floor).toFixed(2)} s, DuckDB ${duckdbSeconds.toFixed(2)} s`,
  );
  return { ours, floor, duckdb: duckdbSeconds };
}

function targetsIn(folder: string) {
  const of = (name: string) => ({
    rows: join(folder, `${name}-rows.csv`),
    ads: join(folder, `${name}-ads.csv`),
  });
  return { ours: of('ours'), floor: of('floor'), duckdb: of('duckdb') };
}

/** Seconds from the first byte of the file to the closed export with one line per input row. */
export function totalOf({ load, work, rows }: Pick<EnrichResult, 'load' | 'work' | 'rows'>): number {
  return load + work + rows;
}

/** Seconds from the first byte of the file to the closed export with one line per ad. */
export function totalPerAdOf({ load, work, ads }: Pick<EnrichResult, 'load' | 'work' | 'ads'>): number {
  return load + work + (ads ?? Number.NaN);
}
