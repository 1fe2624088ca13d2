import pLimit from 'p-limit';
import { Problem } from './problem.ts';

export interface TurnLimits {
  /** Under way in this process at a time; the others wait. */
  readonly total: number;
  /** Under way or waiting of one account; more are refused. */
  readonly perAccount: number;
}

/** Lets work of accounts have its turn, so that one account with much to ask does not keep out the others. */
export type TakeTurn = <T>(accountId: number, work: () => Promise<T>) => Promise<T>;

export function createTurns({ total, perAccount }: TurnLimits): TakeTurn {
  const limit = pLimit(total);
  const taken = new Map<number, number>();
  return async (accountId, work) => {
    const own = taken.get(accountId) ?? 0;
    if (own >= perAccount) {
      throw new Problem('rate_limit_exceeded', {
        titles: [`The account has ${perAccount} queries under way; wait for one to end`],
        headers: { 'Retry-After': '1' },
      });
    }
    taken.set(accountId, own + 1);
    try {
      return await limit(work);
    } finally {
      const left = (taken.get(accountId) ?? 1) - 1;
      if (left === 0) taken.delete(accountId);
      else taken.set(accountId, left);
    }
  };
}
