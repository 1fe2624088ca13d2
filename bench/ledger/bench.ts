import { join } from 'node:path';
import type { Closers } from '../../src/closers.ts';
import { openBenchServer } from '../support/bench-server.ts';
import { withClosers } from '../support/closing.ts';
import { readMachine } from '../support/machine.ts';
import { sizeOf, type BenchOptions } from '../support/options.ts';
import { say } from '../support/say.ts';
import type { BenchResult } from '../support/table.ts';
import { openFolder } from '../support/workplace.ts';
import { openAccount, type HotAccount } from './account.ts';
import { measureAudit, storeEntries, type Audit } from './audit.ts';
import { measureCalls, measureCoalesced, type CallRate } from './calls.ts';
import type { CallKind, LedgerFigures } from './figures.ts';
import { ledgerResult } from './result.ts';

const forMsOf = { full: 3000, smallest: 200 };
const auditEntriesDefault = { full: 1_000_000, smallest: 10_000 };
const newEntriesOf = { full: 10_000, smallest: 1_000 };

/** Holds and charges on one account with durable commits, and the audit of a million entries. */
export function benchLedger(options: BenchOptions): Promise<BenchResult> {
  return withClosers(async (closers) => {
    const folder = await openFolder(closers);
    const rounds = await measureRates(join(folder, 'calls'), options, closers);
    const { audits, machine } = await measureAudits(join(folder, 'audit'), options, closers);
    return ledgerResult({ machine, rounds, audits });
  });
}

async function measureRates(
  folder: string,
  options: BenchOptions,
  closers: Closers,
): Promise<LedgerFigures['rounds']> {
  const server = await openBenchServer(folder, closers);
  const account = await openAccount(server.url('nightshift_app'), closers);
  const rounds: LedgerFigures['rounds'][number][] = [];
  const forMs = sizeOf(options, forMsOf);
  for (let n = 1; n <= options.rounds; n += 1) {
    say(`Round ${n} of ${options.rounds}`);
    rounds.push(await measureRound(account, forMs));
  }
  return rounds;
}

/** In a separate database: every entry must have its lookup. */
async function measureAudits(folder: string, options: BenchOptions, closers: Closers) {
  const server = await openBenchServer(folder, closers);
  const account = await openAccount(server.url('nightshift_app'), closers);
  const entries = options.rows ?? sizeOf(options, auditEntriesDefault);
  say(`Storing ${entries.toLocaleString('en')} entries`);
  const store = (batch: string, count: number) =>
    storeEntries(account, server.url('postgres'), { batch, entries: count });
  await store('bat_audit', entries);
  const audits: Audit[] = [];
  for (let n = 1; n <= options.rounds; n += 1) {
    audits.push(await measureAudit(account, () => store(`bat_audit_${n}`, sizeOf(options, newEntriesOf))));
  }
  return { audits, machine: await readMachine(server.url('postgres')) };
}

async function measureRound(
  account: HotAccount,
  forMs: number,
): Promise<Readonly<Record<CallKind, CallRate>>> {
  return {
    one_row_1_conn: await measureCalls(account, { rowsPerCall: 1, callers: 1, forMs }),
    one_row_8_conn: await measureCalls(account, { rowsPerCall: 1, callers: 8, forMs }),
    rows_100: await measureCalls(account, { rowsPerCall: 100, callers: 1, forMs }),
    rows_100_2_conn: await measureCalls(account, { rowsPerCall: 100, callers: 2, forMs }),
    rows_500: await measureCalls(account, { rowsPerCall: 500, callers: 1, forMs }),
    coalesced_64: await measureCoalesced(account, { callers: 64, forMs }),
  };
}
