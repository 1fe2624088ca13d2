import pLimit, { type LimitFunction } from 'p-limit';
import { Problem } from './problem.ts';

export interface TurnLimits {
  /** Maximum number of running tasks in this process; others wait. */
  readonly total: number;
  /** Maximum number of running tasks of one account. Less than the total, so that one account cannot block the others. */
  readonly perAccount: number;
  /** Maximum number of waiting tasks of one account; more are rejected. */
  readonly waitingPerAccount: number;
  /** Name of the tasks in the error message, such as "queries". */
  readonly what: string;
}

/** Holds the slot of a task until a promise settles, beyond the end of its work. */
export type KeepTurn = (until: Promise<void>) => void;

/** Slots of a resource that all accounts share, with a limit for each account. */
export interface Turns {
  /**
   * Runs the work once a slot is free and resolves with its result. The slot is free again after the work, or after what it was held for.
   * Sequential calls of an account are never rejected: the next one waits for slots that are still held.
   *
   * @throws Problem `rate_limit_exceeded` when too many tasks of the account wait.
   */
  take<T>(accountId: number, work: (keep: KeepTurn) => Promise<T>): Promise<T>;
  /** Checks that `take` would not be rejected, before a response begins. @throws Problem as `take` does */
  requireRoom(accountId: number): void;
}

/** Slots of one account. Held slots count towards the running tasks, but do not cause a rejection. */
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
      titles: [
        `The account has ${unansweredMax} ${what} in progress, which is the limit. Wait for one to finish`,
      ],
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
