import { join } from 'node:path';
import { openAccount } from '../ledger/account.ts';
import { startProduct } from '../product/product-process.ts';
import { verifyResult, type VerifyResult } from '../product/tasks.ts';
import { openBenchServer } from '../support/bench-server.ts';
import { withClosers } from '../support/closing.ts';
import { expectEqual } from '../support/expect.ts';
import { readMachine } from '../support/machine.ts';
import { sizeOf, type BenchOptions } from '../support/options.ts';
import { say } from '../support/say.ts';
import type { BenchResult } from '../support/table.ts';
import { openFolder } from '../support/workplace.ts';
import { storeAnswers, storeBatch } from './record.ts';
import { verifyResultOf } from './result.ts';

const lookupsDefault = { full: 1_000_000, smallest: 4_000 };
const lookupsOfFull = 10_000_000;
const batchMax = { full: 1_000_000, smallest: 2_000 };
const newLookupsOf = { full: 100_000, smallest: 400 };

/** Measures `verify --full` of a record of finished batches, and `verify` after one more, each run in a process of its own. */
export function benchVerify(options: BenchOptions): Promise<BenchResult> {
  return withClosers(async (closers) => {
    const folder = await openFolder(closers);
    const server = await openBenchServer(join(folder, 'home'), closers);
    const account = await openAccount(server.url('nightshift_app'), closers);
    const lookups = options.rows ?? (options.isFull ? lookupsOfFull : sizeOf(options, lookupsDefault));
    let stored = 0;
    const store = async (count: number) => {
      await storeBatch(server.url('postgres'), {
        accountId: account.accountId,
        publicId: `bat_verify_${stored}`,
        lookups: count,
        after: BigInt(stored),
      });
      stored += count;
      say(`  ${stored.toLocaleString('en')} lookups are stored`);
    };
    await storeAnswers(server.url('postgres'));
    while (stored < lookups) await store(Math.min(lookups - stored, sizeOf(options, batchMax)));
    const runApart = async (isFull: boolean): Promise<VerifyResult> => {
      const product = startProduct(server.home, closers);
      const result = verifyResult.parse(await product.run({ kind: 'verify', isFull }));
      await product.close();
      expectEqual('What verify found', result.findings, []);
      say(`  verify${isFull ? ' --full' : ''}: ${result.seconds.toFixed(2)} s, ${result.peakRssMb} MB`);
      return result;
    };
    const full = await runApart(true);
    expectEqual('Rows that were read', [full.rows, full.proved], [lookups, 0]);
    const rounds: VerifyResult[] = [];
    for (let n = 1; n <= options.rounds; n += 1) {
      const [before, count] = [stored, sizeOf(options, newLookupsOf)];
      await store(count);
      const round = await runApart(false);
      expectEqual('Rows that were read', [round.rows, round.proved], [count, before]);
      rounds.push(round);
    }
    return verifyResultOf({ machine: await readMachine(server.url('postgres')), lookups, full, rounds });
  });
}
