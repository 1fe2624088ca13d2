import pLimit, { type LimitFunction } from 'p-limit';
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
 * work is done; the turn ends with that, or with what it was kept for. Who asks one after the other is never refused: the next waits for
 * turns that are still kept.
 */
export type TakeTurn = <T>(accountId: number, work: (keep: KeepTurn) => Promise<T>) => Promise<T>;

/** The turns of one account: those that are kept count for their number, and not for who is refused. */
interface OwnTurns {
  readonly limit: LimitFunction;
  unanswered: number;
}

export function createTurns({ total, perAccount }: TurnLimits): TakeTurn {
  const limit = pLimit(total);
  const accounts = new Map<number, OwnTurns>();
  const turnsOf = (accountId: number): OwnTurns => {
    const own = accounts.get(accountId) ?? { limit: pLimit(perAccount), unanswered: 0 };
    accounts.set(accountId, own);
    return own;
  };
  const forgetIdle = (accountId: number, { limit: own, unanswered }: OwnTurns) => {
    if (unanswered === 0 && own.activeCount + own.pendingCount <= 1) accounts.delete(accountId);
  };
  return (accountId, work) => {
    const own = turnsOf(accountId);
    if (own.unanswered >= perAccount) return Promise.reject(tooMany(perAccount));
    own.unanswered += 1;
    return new Promise((resolve, reject) => {
      void own.limit(async () => {
        await limit(async () => {
          const kept: Promise<void>[] = [];
          await work((until) => kept.push(until))
            .finally(() => (own.unanswered -= 1))
            .then(resolve, reject);
          await Promise.allSettled(kept);
        });
        forgetIdle(accountId, own);
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
