import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Balance } from '../../../src/core/credits/ledger.ts';
import { describeCall, ledgerCalls } from './ledger-calls.ts';
import { applyCall, balanceOf, type LedgerCall, type PlainAccount } from './plain-ledger.ts';
import type { CommitCut } from '../db/postgres-proxy.ts';

/** Failure of a transaction: its caller rolls back, or its connection breaks before or after COMMIT. */
export type LedgerFault = 'rollback' | CommitCut;

/** An account of a ledger, with the operations of the commands. */
export interface LedgerUnderTest {
  call(call: LedgerCall): Promise<readonly string[]>;
  /** Runs the calls concurrently, each on its own connection. */
  callAtOnce(calls: readonly LedgerCall[]): Promise<readonly (readonly string[])[]>;
  /** Runs all calls in one transaction that fails, so that their statuses are lost. */
  callWithFault(calls: readonly LedgerCall[], fault: LedgerFault): Promise<void>;
  readBalance(): Promise<Balance>;
}

/** State of the plain ledger. */
export interface LedgerModel {
  account: PlainAccount;
}

export type LedgerCommand = fc.AsyncCommand<LedgerModel, LedgerUnderTest>;

/** Up to 25 commands on one account. Few keys and amounts, so that calls often conflict with earlier ones. */
export function ledgerCommands(): fc.Arbitrary<Iterable<LedgerCommand>> {
  const several = (minLength: number, maxLength: number) => fc.array(ledgerCalls, { minLength, maxLength });
  const mishaps = fc.constantFrom<LedgerFault>('rollback', 'before', 'after');
  return fc.commands(
    [
      ledgerCalls.map(callOnce),
      ledgerCalls.map(callTwice),
      several(2, 4).map(callAtOnce),
      fc.tuple(several(1, 3), mishaps).map(([some, mishap]) => callWithFault(some, mishap)),
      fc.constant(readBalance()),
    ],
    { maxCommands: 25, size: 'max' },
  );
}

function callOnce(call: LedgerCall): LedgerCommand {
  return command(describeCall(call), async (model, ledger) => {
    const { account, statuses } = applyCall(model.account, call);
    expect(await ledger.call(call)).toEqual(statuses);
    model.account = account;
  });
}

/** Repeats a call, as after a lost response. */
function callTwice(call: LedgerCall): LedgerCommand {
  return command(`${describeCall(call)}, twice`, async (model, ledger) => {
    await callOnce(call).run(model, ledger);
    await callOnce(call).run(model, ledger);
  });
}

/** Concurrent calls may run in any order, but must be serializable: some order must explain all their results. */
function callAtOnce(calls: readonly LedgerCall[]): LedgerCommand {
  return command(`at once: ${calls.map(describeCall).join(' | ')}`, async (model, ledger) => {
    const answers = await ledger.callAtOnce(calls);
    const explained = ordersOf(calls.map((_, i) => i))
      .map((order) => applyInOrder(model.account, calls, order))
      .find(({ statuses }) => isDeepStrictEqual(statuses, answers));
    if (explained === undefined)
      throw new Error(`No order of these calls explains ${JSON.stringify(answers)}.`);
    model.account = explained.account;
    expect(await ledger.readBalance()).toEqual(balanceOf(model.account));
  });
}

function callWithFault(calls: readonly LedgerCall[], mishap: LedgerFault): LedgerCommand {
  return command(`in vain (${mishap}): ${calls.map(describeCall).join(', ')}`, async (model, ledger) => {
    await ledger.callWithFault(calls, mishap);
    if (mishap === 'after') for (const call of calls) model.account = applyCall(model.account, call).account;
    expect(await ledger.readBalance()).toEqual(balanceOf(model.account));
  });
}

function readBalance(): LedgerCommand {
  return command('balance', async (model, ledger) => {
    expect(await ledger.readBalance()).toEqual(balanceOf(model.account));
  });
}

function command(name: string, run: LedgerCommand['run']): LedgerCommand {
  return { check: () => true, run, toString: () => name };
}

/** Statuses of each call, in the order of `calls`, if they run in another order. */
function applyInOrder(account: PlainAccount, calls: readonly LedgerCall[], order: readonly number[]) {
  const statuses: (readonly string[])[] = calls.map(() => []);
  let now = account;
  for (const i of order) {
    const call = calls[i];
    if (call === undefined) continue;
    const step = applyCall(now, call);
    statuses[i] = step.statuses;
    now = step.account;
  }
  return { account: now, statuses };
}

function ordersOf(items: readonly number[]): readonly (readonly number[])[] {
  if (items.length === 0) return [[]];
  return items.flatMap((item) =>
    ordersOf(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  );
}
