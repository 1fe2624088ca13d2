import type { Balance, Grant, Hold } from '../../../src/core/credits/ledger.ts';

/** A call of a ledger as a value. */
export type LedgerCall =
  | { readonly kind: 'grant'; readonly items: readonly Grant[] }
  | { readonly kind: 'reserve' | 'resolve'; readonly items: readonly Hold[] };

/** All records of one account, without derived values. */
export interface PlainAccount {
  readonly grants: readonly Grant[];
  readonly holds: readonly Hold[];
  readonly ends: readonly Hold[];
}

export const emptyAccount: PlainAccount = { grants: [], holds: [], ends: [] };

/**
 * Computes the result of a call and the entries that it writes: the ledger of
 * docs/architecture/decisions/0010-set-based-ledger.md in its simplest form, as three lists. Pure, so that a test can compute the
 * result of another order of calls.
 */
export function applyCall(
  account: PlainAccount,
  call: LedgerCall,
): { readonly account: PlainAccount; readonly statuses: readonly string[] } {
  const statuses: string[] = [];
  let now = account;
  for (const status of stepsOf(call)) {
    const step = status(now, statuses);
    statuses.push(step.status);
    now = step.account;
  }
  return { account: now, statuses };
}

/** Sums up balance and held credits from the three lists. */
export function balanceOf({ grants, holds, ends }: PlainAccount): Balance {
  const charged = sum(ends);
  const heldMicro = sum(openHolds({ grants, holds, ends }));
  return { balanceMicro: sum(grants) - heldMicro - charged, heldMicro };
}

/** Holds without an end. */
export function openHolds({ holds, ends }: PlainAccount): readonly Hold[] {
  return holds.filter((hold) => find(ends, hold) === undefined);
}

interface Step {
  readonly account: PlainAccount;
  readonly status: string;
}

type StepOf = (account: PlainAccount, before: readonly string[]) => Step;

function stepsOf(call: LedgerCall): readonly StepOf[] {
  if (call.kind === 'grant')
    return call.items.map(
      (item): StepOf =>
        (account) =>
          grant(account, item),
    );
  if (call.kind === 'resolve')
    return call.items.map(
      (item): StepOf =>
        (account) =>
          resolve(account, item),
    );
  return call.items.map(
    (item): StepOf =>
      (account, before) =>
        reserve(account, item, before),
  );
}

function grant(account: PlainAccount, item: Grant): Step {
  const known = item.key === null ? undefined : account.grants.find((other) => other.key === item.key);
  if (known !== undefined) return { account, status: sameOrMismatch(known, item) };
  return { account: { ...account, grants: [...account.grants, item] }, status: 'granted' };
}

/** The balance is used up in order: after the first hold that it does not cover, all others fail. */
function reserve(account: PlainAccount, item: Hold, before: readonly string[]): Step {
  if (item.amountMicro === 0n) return { account, status: 'free' };
  const known = find(account.holds, item);
  if (known !== undefined) return { account, status: sameOrMismatch(known, item) };
  const covered = item.amountMicro <= balanceOf(account).balanceMicro;
  if (!covered || before.includes('insufficient')) return { account, status: 'insufficient' };
  return { account: { ...account, holds: [...account.holds, item] }, status: 'reserved' };
}

function resolve(account: PlainAccount, item: Hold): Step {
  const ended = find(account.ends, item);
  if (ended !== undefined) return { account, status: sameOrMismatch(ended, item) };
  const held = find(account.holds, item);
  if (held === undefined) return { account, status: 'no_hold' };
  if (item.amountMicro > held.amountMicro) return { account, status: 'exceeds' };
  const status = item.amountMicro === 0n ? 'released' : 'settled';
  return { account: { ...account, ends: [...account.ends, item] }, status };
}

function sameOrMismatch(known: { amountMicro: bigint }, asked: { amountMicro: bigint }): string {
  return known.amountMicro === asked.amountMicro ? 'exists' : 'mismatch';
}

function find(items: readonly Hold[], { lookupId, attempt }: Hold): Hold | undefined {
  return items.find((item) => item.lookupId === lookupId && item.attempt === attempt);
}

function sum(items: readonly { readonly amountMicro: bigint }[]): bigint {
  return items.reduce((total, { amountMicro }) => total + amountMicro, 0n);
}
