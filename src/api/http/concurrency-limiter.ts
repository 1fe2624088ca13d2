import pLimit, { type LimitFunction } from 'p-limit';
import { Problem } from './problem.ts';

export interface TurnLimits {
  /** Under way in this process at a time; the others wait. */
  readonly total: number;
  /** Under way of one account: less than the total, where there can be several accounts, so that there is always room for another. */
  readonly perAccount: number;
  /** Waiting of one account; more are refused. */
  readonly waitingPerAccount: number;
  /** For the refusal: "queries". */
  readonly what: string;
}

/** Keeps a turn for longer than its work takes. */
export type KeepTurn = (until: Promise<void>) => void;

/** Turns at something that all accounts share, so that one with much to ask does not keep out the others. */
export interface Turns {
  /**
   * Does the work when it has its turn. Its result is there as soon as the work is done; the turn ends with that, or with what it was kept
   * for. Who asks one after the other is never refused: the next waits for turns that are still kept.
   *
   * @throws Problem `rate_limit_exceeded` when too much of the account waits.
   */
  take<T>(accountId: number, work: (keep: KeepTurn) => Promise<T>): Promise<T>;
  /** For who takes a turn later, when an answer has begun already. @throws Problem as `take` does. */
  requireRoom(accountId: number): void;
}

/** The turns of one account: those that are kept count for their number, and not for who is refused. */
interface OwnTurns {
  readonly limit: LimitFunction;
  unanswered: number;
}

export function createConcurrencyLimiter({ total, perAccount, waitingPerAccount, what }: TurnLimits): Turns {
  const limit = pLimit(total);
  const accounts = new Map<number, OwnTurns>();
  const unansweredMax = perAccount + waitingPerAccount;

  function turnsOf(accountId: number): OwnTurns {
    const own = accounts.get(accountId) ?? { limit: pLimit(perAccount), unanswered: 0 };
    accounts.set(accountId, own);
    return own;
  }

  function forgetIdle(accountId: number, { limit: own, unanswered }: OwnTurns): void {
    if (unanswered === 0 && own.activeCount + own.pendingCount <= 1) accounts.delete(accountId);
  }

  function requireRoom(accountId: number): void {
    if ((accounts.get(accountId)?.unanswered ?? 0) < unansweredMax) return;
    throw new Problem('rate_limit_exceeded', {
      titles: [`The account has ${unansweredMax} ${what} under way; wait for one to end`],
      headers: { 'Retry-After': '1' },
    });
  }

  async function take<T>(accountId: number, work: (keep: KeepTurn) => Promise<T>): Promise<T> {
    requireRoom(accountId);
    const own = turnsOf(accountId);
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
  }

  return { take, requireRoom };
}
