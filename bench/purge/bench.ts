import { z } from 'zod';
import { makeList, openSetting, type Setting } from '../pipeline/setting.ts';
import { storeFinished } from '../pipeline/floor.ts';
import { runCommand } from '../product/command.ts';
import { startProduct } from '../product/product-process.ts';
import { verifyResult } from '../product/tasks.ts';
import { withClient } from '../support/bench-server.ts';
import { readCpuSeconds } from '../support/cpu.ts';
import { withClosers } from '../support/closing.ts';
import { readTables, readTablesNow } from '../support/disk.ts';
import { expectEqual } from '../support/expect.ts';
import { readMachine } from '../support/machine.ts';
import { sizeOf, type BenchOptions } from '../support/options.ts';
import { say } from '../support/say.ts';
import type { BenchResult } from '../support/table.ts';
import { purgeResult } from './result.ts';

const rowsDefault = { full: 1_000_000, smallest: 4_000 };
const creativesDefault = { full: 1_000_000, smallest: 15_000 };
/** Names of companies; a longer list repeats them with other domains. */
const namesDefault = { full: 20_000, smallest: 200 };
/** Share of the rows that are companies; the others repeat one or name none. */
const companiesShare = 0.98;

const purgedBody = z.object({
  kinds: z.array(z.object({ kind: z.string(), counts: z.record(z.string(), z.number()) })),
});

/** Measures the purge of a long batch by the command, and how much of the disk that the batch took it gives back. */
export function benchPurge(options: BenchOptions): Promise<BenchResult> {
  return withClosers(async (closers) => {
    const setting = await openSetting(
      {
        seed: options.seed,
        companies: sizeOf(options, namesDefault),
        creatives: options.creatives ?? sizeOf(options, creativesDefault),
      },
      closers,
    );
    const { server } = setting;
    const companies = Math.floor((options.rows ?? sizeOf(options, rowsDefault)) * companiesShare);
    const before = await readTables(server);
    const expected = await storeOldBatch(setting, companies);
    const product = startProduct(server.home, closers);
    await product.run({ kind: 'prepare' });
    const full = await readTables(server);
    await expectValid(product.run({ kind: 'verify' }));
    const cpuBefore = readCpuSeconds([server.pid]);
    const { answer, seconds } = await runCommand(
      ['purge', '--older-than', '30d', '--kind', 'batches'],
      server.home,
      closers,
    );
    const cpu = readCpuSeconds([server.pid]) - cpuBefore;
    const after = await readTablesNow(server);
    expectEqual('What the purge deleted', purgedBody.parse(answer).kinds[0]?.counts, {
      batches: 1,
      rows: expected.rows,
      lookups: expected.lookups,
      ads: expected.links,
      inboxes: 0,
      files: 0,
    });
    await expectValid(product.run({ kind: 'verify' }));
    await product.close();
    const machine = await readMachine(server.url('postgres'));
    const { rows, links: ads } = expected;
    return purgeResult({ rows, ads, seconds, cpu, before, full, after, machine });
  });
}

/** Stores a batch with set-based SQL, and makes it forty days old. */
async function storeOldBatch(setting: Setting, companies: number) {
  const { server } = setting;
  say(`Storing a batch of ${companies.toLocaleString('en')} companies`);
  const { keyedFile, expected } = await makeList(setting, companies);
  const batchId = await storeFinished({ url: server.url('nightshift_app'), keyedFile });
  await withClient(server.url('postgres'), (client) =>
    client.query(
      `UPDATE nightshift.batches SET created_at = created_at - $2::interval, loaded_at = loaded_at - $2::interval,
        finished_at = finished_at - $2::interval, state_since = state_since - $2::interval WHERE id = $1`,
      [batchId, '40 days'],
    ),
  );
  return expected;
}

async function expectValid(verifying: Promise<unknown>): Promise<void> {
  const { findings, seconds } = verifyResult.parse(await verifying);
  expectEqual('The findings of verify', findings, []);
  say(`Verified in ${seconds.toFixed(1)} s`);
}
