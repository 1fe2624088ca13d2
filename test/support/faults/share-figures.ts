import type { StandInCall } from '../stand-in/stand-in-log.ts';
import { askedIn } from './batch-audit.ts';

/** Accounts beside each other at one source, by the names of the companies that they look up: `a7-r12.com` is the account 7. */
export interface SharedSource {
  readonly requestsPerSecond: number;
  /** Weight of each account, by its number. The first one has more work than the others together. */
  readonly weights: readonly number[];
  /** Lookups of each account but the first, for a weight of 1. All have their last call at the same time if shares are fair. */
  readonly lookups: number;
  /** Length of the windows in which calls are compared. */
  readonly windowMs: number;
}

/** What the log of the source says about its accounts. */
export interface ShareFigures {
  /** Jain's index of the weighted calls of each window in which all accounts have work. 1: equal. */
  readonly jain: readonly number[];
  /** Time until the last call of an account that is not the first, by its time at a fair share. */
  readonly slowest: number;
  /** Calls until then, by those that the pace allows. */
  readonly paceUsed: number;
}

/** Company of an account. */
export function companyOfAccount(account: number, batch: number, row: number): string {
  return `a${account}-b${batch}-r${row}.com`;
}

function accountIn(call: StandInCall): number | null {
  const found = /^a(\d+)-/.exec(askedIn(call));
  return found === null ? null : Number(found[1]);
}

/** Computes the figures from the calls in the order of their arrival, from the first one of an account. */
export function shareFigures(log: readonly StandInCall[], source: SharedSource): ShareFigures {
  const { requestsPerSecond, weights, lookups, windowMs } = source;
  const all = log.map((call) => ({ at: call.at, account: accountIn(call) }));
  const calls = all.slice(all.findIndex(({ account }) => account !== null));
  const beganAt = calls[0]?.at ?? 0;
  const small = weights.map((_, account) => account).slice(1);
  const endsMs = small.map(
    (account) => (calls.findLast((call) => call.account === account)?.at ?? Infinity) - beganAt,
  );
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const fairMs = (lookups * sum * 1000) / requestsPerSecond;
  const allWorkMs = Math.min(...endsMs, fairMs);
  const windows = Array.from({ length: Math.floor(allWorkMs / windowMs) }, (_, n) => {
    const from = beganAt + n * windowMs;
    const inside = calls.filter(({ at }) => at >= from && at < from + windowMs);
    return weights.map(
      (weight, account) => inside.filter((call) => call.account === account).length / weight,
    );
  });
  const lastMs = Math.max(...endsMs);
  const until = calls.filter(({ at }) => at - beganAt <= lastMs).length;
  return {
    jain: windows.map(jainIndex),
    slowest: lastMs / fairMs,
    paceUsed: (until - 1) / ((lastMs / 1000) * requestsPerSecond),
  };
}

/** Jain's fairness index: 1 if all values are equal, 1/n if one has everything. */
export function jainIndex(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0);
  const squares = values.reduce((total, value) => total + value * value, 0);
  return (sum * sum) / (values.length * squares);
}
