import pLimit from 'p-limit';
import { Problem } from './problem.ts';

export interface TurnLimits {
  /** Under way in this process at a time; the others wait. */
  readonly total: number;
  /** Under way or waiting of one account; more are refused. */
  readonly perAccount: number;
}

/** Keeps a turn for longer than its work takes. */
export type KeepTurn = (until: Promise<void>) => void;

/**
 * Lets work of accounts have its turn, so that one account with much to ask does not keep out the others. Its result is there as soon as the
 * work is done; the turn ends with that, or with what it was kept for.
 */
export type TakeTurn = <T>(accountId: number, work: (keep: KeepTurn) => Promise<T>) => Promise<T>;

export function createTurns({ total, perAccount }: TurnLimits): TakeTurn {
  const limit = pLimit(total);
  const taken = new Map<number, number>();
  const giveBack = (accountId: number) => {
    const left = (taken.get(accountId) ?? 1) - 1;
    if (left === 0) taken.delete(accountId);
    else taken.set(accountId, left);
  };
  return (accountId, work) => {
    const own = taken.get(accountId) ?? 0;
    if (own >= perAccount) return Promise.reject(tooMany(perAccount));
    taken.set(accountId, own + 1);
    return new Promise((resolve, reject) => {
      void limit(async () => {
        const kept: Promise<void>[] = [];
        await work((until) => kept.push(until)).then(resolve, reject);
        await Promise.allSettled(kept);
        giveBack(accountId);
      });
    });
  };
}

function tooMany(perAccount: number): Problem {
  return new Problem('rate_limit_exceeded', {
    titles: [`The account has ${perAccount} queries under way; wait for one to end`],
    headers: { 'Retry-After': '1' },
  });
}
