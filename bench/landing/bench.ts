import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parquetMetadataAsync } from 'hyparquet';
import { asyncBufferFromFile } from 'hyparquet/src/node.js';
import { openS3StandIn, type S3StandIn } from '../../test/support/storage/s3-stand-in.ts';
import type { Closers } from '../../src/closers.ts';
import type { PrivateServer } from '../../src/postgres-server/index.ts';
import { loadSmallSnapshot, makeLongList } from '../load/list-load.ts';
import { startProduct } from '../product/product-process.ts';
import { enrichResult, outputResult, type OutputResult, type Task } from '../product/tasks.ts';
import { runCommand, startCommand } from '../product/command.ts';
import { openBenchServer, settleDatabase, withClient } from '../support/bench-server.ts';
import { withClosers } from '../support/closing.ts';
import { expectEqual } from '../support/expect.ts';
import { readMachine } from '../support/machine.ts';
import { sizeOf, type BenchOptions } from '../support/options.ts';
import { say } from '../support/say.ts';
import type { BenchResult } from '../support/table.ts';
import { openFolder } from '../support/workplace.ts';
import { landingResultOf, type LandingPeaks, type LandingRound } from './result.ts';

const rowsDefault = { full: 1_000_000, smallest: 2000 };

const key = { accessKeyId: 'bench', secretAccessKey: 'bench-secret', region: 'us-east-1' };
const bucket = 'results';

/** Measures the landing of a batch in a bucket as Parquet, compared with its export to a local file; memory of each. */
export function benchLanding(options: BenchOptions): Promise<BenchResult> {
  return withClosers(async (closers) => {
    const folder = await openFolder(closers);
    const list = await makeLongList(folder, options.rows ?? sizeOf(options, rowsDefault), options.seed);
    const server = await openBenchServer(join(folder, 'home'), closers);
    await loadSmallSnapshot(folder, options.seed, server.home, closers);
    say(`Looking up ${list.companies} companies`);
    const { batchId } = enrichResult.parse(
      await runApart(server.home, closers, {
        kind: 'enrich',
        file: list.file,
        rows: join(folder, 'rows.csv'),
        ads: null,
      }),
    );
    const batch = await withClient(server.url('postgres'), async (client) => {
      const { rows } = await client.query<{ id: string }>(
        'SELECT public_id AS id FROM nightshift.batches WHERE id = $1',
        [batchId],
      );
      return rows[0]?.id ?? '';
    });
    const rounds: LandingRound[] = [];
    for (let n = 1; n <= options.rounds; n += 1) {
      await settleDatabase(server);
      const target = join(folder, 'local.parquet');
      const local = await measure(server.home, closers, { kind: 'export', batch, target });
      const landed = await landInBucket(server.home, closers, batch);
      expectEqual('Rows that landed', landed.rows, list.rows);
      expectEqual('Rows of the export', await countRows(target), list.rows);
      say(`  round ${n}: export ${local.seconds.toFixed(2)} s, landing ${landed.seconds.toFixed(2)} s`);
      rounds.push({ local, landed });
    }
    const peaks = await measurePeaks(server, closers, { batch, folder });
    const machine = await readMachine(server.url('postgres'));
    return landingResultOf({ machine, rows: list.rows, rounds, peaks });
  });
}

/** Each runs in a process of its own. */
async function runApart(home: string, closers: Closers, task: Task): Promise<unknown> {
  const product = startProduct(home, closers);
  const result = await product.run(task);
  await product.close();
  return result;
}

async function measure(home: string, closers: Closers, task: Task): Promise<OutputResult> {
  return outputResult.parse(await runApart(home, closers, task));
}

/** The bucket is a stand-in in this process, which verifies signatures and digests. */
async function landInBucket(home: string, closers: Closers, batch: string): Promise<OutputResult> {
  const s3 = await openS3StandIn({ key, buckets: [bucket] });
  try {
    const { accessKeyId, secretAccessKey } = key;
    const landed = await measure(home, closers, {
      kind: 'land',
      ...{ batch, bucket, endpoint: s3.url, key: { accessKeyId, secretAccessKey } },
    });
    expectEqual('Rows in the bucket', await countInBucket(s3), landed.rows);
    return landed;
  } finally {
    await s3.close();
  }
}

/** Memory of the command line itself: of an export, and of a worker that lands the batch. */
async function measurePeaks(
  server: PrivateServer,
  closers: Closers,
  { batch, folder }: { readonly batch: string; readonly folder: string },
): Promise<LandingPeaks> {
  const { home } = server;
  const exported = await runCommand(['export', batch, '-o', join(folder, 'peak.parquet')], home, closers);
  const s3 = await openS3StandIn({ key, buckets: [bucket] });
  try {
    const settings = {
      NIGHTSHIFT_ALLOWED_HOSTS: '127.0.0.1',
      AWS_ACCESS_KEY_ID: key.accessKeyId,
      AWS_SECRET_ACCESS_KEY: key.secretAccessKey,
    };
    const add = ['destination', 'add', 'peak', `s3://${bucket}`, '--endpoint', s3.url, '--batch', batch];
    await runCommand(add, home, closers, settings);
    const work = startCommand(['work'], home, closers, settings);
    await withClient(server.url('postgres'), async (client) => {
      for (;;) {
        const { rows } = await client.query(
          `SELECT FROM nightshift.landings l JOIN nightshift.destinations d ON d.id = l.destination_id
           WHERE d.name = 'peak' AND l.state = 'landed'`,
        );
        if (rows.length > 0) return;
        await sleep(pollMs);
      }
    });
    return { local: exported.peakRssMb, landed: await work.stop() };
  } finally {
    await s3.close();
  }
}

const pollMs = 200;

async function countInBucket({ objects }: S3StandIn): Promise<number> {
  let rows = 0;
  for (const [path, { bytes }] of objects) {
    if (!path.endsWith('.parquet')) continue;
    const slice = (start: number, end?: number) =>
      Uint8Array.from(bytes.subarray(start, end ?? bytes.length)).buffer;
    rows += Number((await parquetMetadataAsync({ byteLength: bytes.length, slice })).num_rows);
  }
  return rows;
}

async function countRows(file: string): Promise<number> {
  return Number((await parquetMetadataAsync(await asyncBufferFromFile(file))).num_rows);
}
