import type { StandInCall } from '../stand-in/stand-in-log.ts';
import { askedIn } from './batch-audit.ts';

/** Accounts beside each other at one source. The first one has more work than the others together. */
export interface SharedSource {
  readonly requestsPerSecond: number;
  /** Weight of each account, by its number. */
  readonly weights: readonly number[];
  /** Lookups of each account but the first, for a weight of 1. With fair shares, all have their last call at the same time. */
  readonly lookups: number;
  /** Length of the windows in which calls are compared. */
  readonly windowMs: number;
}

/** What the log of the source says about its accounts. */
export interface ShareFigures {
  /** Jain's index of the weighted calls of each window in which all accounts have work. 1: equal. */
  readonly jain: readonly number[];
  /** The same for windows with as many calls as the pace allows in one: it does not depend on the speed of the machine. */
  readonly jainOfCalls: readonly number[];
  /** Time until the last call of an account that is not the first, by its time at a fair share of the whole pace. */
  readonly slowest: number;
  /** The same in calls of accounts. */
  readonly slowestInCalls: number;
  /** Calls until then, with those of searches, by those that the pace allows. */
  readonly paceUsed: number;
}

interface AccountCall {
  readonly atMs: number;
  readonly account: number;
}

/** Company of an account: `a7-b0-r12.com` is the account 7. */
export function companyOfAccount(account: number, batch: number, row: number): string {
  return `a${account}-b${batch}-r${row}.com`;
}

/** Number of windows in which all accounts must have work if shares are fair, with a tenth to spare. */
export function fairWindows({ requestsPerSecond, weights, lookups, windowMs }: SharedSource): number {
  const fairMs = (1000 * lookups * sumOf(weights)) / requestsPerSecond;
  return Math.floor((0.9 * fairMs) / windowMs);
}

/** Number of companies that accounts other than the first have been asked for. */
export function countOthers(log: readonly StandInCall[]): number {
  return new Set(log.filter((call) => (accountIn(call) ?? 0) > 0).map(askedIn)).size;
}

/** Computes the figures from the calls in the order of their arrival, from the first one of an account. */
export function shareFigures(log: readonly StandInCall[], source: SharedSource): ShareFigures {
  const { requestsPerSecond, weights, lookups, windowMs } = source;
  const calls = callsOfAccounts(log);
  const perMs = requestsPerSecond / 1000;
  const fairCalls = lookups * sumOf(weights);
  const ends = weights.map((_, account) => calls.findLastIndex((call) => call.account === account)).slice(1);
  const [firstEnd, lastEnd] = [Math.min(...ends), Math.max(...ends)];
  const lastMs = calls[lastEnd]?.atMs ?? Infinity;
  const both = calls.slice(0, Math.min(firstEnd, fairCalls));
  const windowCalls = Math.round(windowMs * perMs);
  const beganAt = log.find((call) => accountIn(call) !== null)?.at ?? 0;
  const until = log.filter(({ at }) => at >= beganAt && at - beganAt <= lastMs).length;
  const byTime = (call: AccountCall) => Math.floor(call.atMs / windowMs);
  const byCalls = (_: AccountCall, n: number) => Math.floor(n / windowCalls);
  return {
    jain: jainByWindow(both, weights, byTime, Math.floor((both.at(-1)?.atMs ?? 0) / windowMs)),
    jainOfCalls: jainByWindow(both, weights, byCalls, Math.floor(both.length / windowCalls)),
    slowest: (lastMs * perMs) / fairCalls,
    slowestInCalls: (lastEnd + 1) / fairCalls,
    paceUsed: (until - 1) / (lastMs * perMs),
  };
}

function callsOfAccounts(log: readonly StandInCall[]): readonly AccountCall[] {
  const calls = log.flatMap((call) => {
    const account = accountIn(call);
    return account === null ? [] : [{ at: call.at, account }];
  });
  const beganAt = calls[0]?.at ?? 0;
  return calls.map(({ at, account }) => ({ atMs: at - beganAt, account }));
}

/** Account whose company the source was asked for; null for any other company. */
export function accountIn(call: StandInCall): number | null {
  const found = /^a(\d+)-/.exec(askedIn(call));
  return found === null ? null : Number(found[1]);
}

function jainByWindow(
  calls: readonly AccountCall[],
  weights: readonly number[],
  windowOf: (call: AccountCall, n: number) => number,
  windows: number,
): readonly number[] {
  const counts = Array.from({ length: windows }, () => weights.map(() => 0));
  for (const [n, call] of calls.entries()) {
    const count = counts[windowOf(call, n)];
    if (count !== undefined)
      count[call.account] = (count[call.account] ?? 0) + 1 / (weights[call.account] ?? 1);
  }
  return counts.map(jainIndex);
}

/** Jain's fairness index: 1 if all values are equal, 1/n if one has everything. */
function jainIndex(values: readonly number[]): number {
  const sum = sumOf(values);
  return (sum * sum) / (values.length * sumOf(values.map((value) => value * value)));
}

function sumOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
