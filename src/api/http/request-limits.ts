import { createHash } from 'node:crypto';
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import type { LimitStore } from '../../app/limit-store.ts';
import { answerInTime } from '../../core/async/answer-in-time.ts';
import { createBatcher } from '../../core/async/batcher.ts';
import type { Caller } from '../../core/accounts/authenticate.ts';
import { networkOf } from './request-address.ts';
import { createRequestTaker, tighter, type Taken } from './take-requests.ts';

/** Rate limits of keys, accounts and addresses, shared by all processes. */
export interface RequestLimits {
  /** Counts a request of a caller. Returns the tighter of the limits of its key and its account. */
  take(caller: Caller): Promise<Taken>;
  /** Counts a request with an invalid key. */
  takeFailure(address: string): Promise<Taken>;
  /**
   * Counts an attempt to sign in with a password, before the password is checked: for its address, and for its address with this login.
   * Attempts from other addresses with the same login are not affected.
   */
  takeSignIn(tried: SignInTry): Promise<Taken>;
  /** Resets the count of a login and address after a successful sign-in. */
  forgetSignIns(tried: SignInTry): Promise<void>;
  /** Counts a mail that an account requests: for the account, and for the address across all accounts. */
  takeMail(mail: MailTry): Promise<Taken>;
}

/** A mail that an account requests: to an unconfirmed address, or as a test. */
export interface MailTry {
  readonly accountId: number;
  readonly address: string;
}

/** An attempt to sign in: a login and an address. */
export interface SignInTry {
  readonly login: string;
  readonly address: string;
}

/** Requests per minute. */
export interface LimitRates {
  readonly perKey: number;
  readonly perAccount: number;
  readonly failuresPerAddress: number;
}

export interface RequestLimitOptions {
  readonly queuePrefix: string;
  readonly rates: LimitRates;
  /** Called when the shared server gave no count, at most once a minute. */
  readonly onError: (error: unknown) => void;
}

const windowSeconds = 60;

/**
 * Attempts to sign in with one login from one address, and from one address in total: our choice. There is no limit for a login across
 * addresses, because it would let anyone lock a user out. The password limiter bounds the attempts of all addresses together.
 */
const signIns = {
  ofUser: { points: 10, seconds: 10 * 60 },
  ofAddress: { points: 20, seconds: windowSeconds },
};

/** Requested mails per hour: our choice. */
const mails = { ofAccount: 10, toAddress: 5, seconds: 60 * 60 };

/**
 * Creates limits on Redis if it is configured, else on Postgres. While that server is unreachable, or leaves a request waiting for a second,
 * each process counts for itself: requests stay limited.
 */
export function createRequestLimits(
  store: LimitStore,
  { queuePrefix, rates, onError }: RequestLimitOptions,
): RequestLimits {
  const report = createReporter(onError);
  const open = (name: string, points: number, duration = windowSeconds) => {
    const common = { keyPrefix: `${queuePrefix}:limit:${name}`, points, duration };
    const limiter =
      store.kind === 'redis'
        ? new RateLimiterRedis({
            ...common,
            storeClient: store.client,
            rejectIfRedisNotReady: true,
          })
        : new RateLimiterPostgres({
            ...common,
            storeClient: store.pool,
            schemaName: 'nightshift',
            tableName: 'rate_limits',
            tableCreated: true,
          });
    return createLimiter(limiter, new RateLimiterMemory(common), report);
  };
  const keys = open('key', rates.perKey);
  // Limits of one name share a count, although their maximum can differ. The count of an account continues when its limit
  // changes.
  const accounts = new Map<number, Limiter>();
  const accountsAllowed = (points: number) => {
    const known = accounts.get(points) ?? open('account', points);
    accounts.set(points, known);
    return known;
  };
  const takeInTurn = async ({ id, accountId, requestsPerMinute }: Caller): Promise<Taken> => {
    const ofKey = await keys.take(id);
    // A key beyond its own limit does not use up the limit of its account's other keys.
    if (!ofKey.allowed) return ofKey;
    const ofAccount = accountsAllowed(requestsPerMinute ?? rates.perAccount);
    return tighter(ofKey, await ofAccount.take(String(accountId)));
  };
  const takeAtOnce =
    store.kind === 'redis'
      ? takeInTurn
      : createRequestTaker(store.countRequests, {
          namesOf: ({ id, accountId }) => ({
            key: `${queuePrefix}:limit:key:${id}`,
            account: `${queuePrefix}:limit:account:${accountId}`,
          }),
          perKey: rates.perKey,
          perAccount: rates.perAccount,
          windowSeconds,
          otherwise: takeInTurn,
        });
  const failures = open('failure', rates.failuresPerAddress);
  const ofAddress = open('sign-in-from', signIns.ofAddress.points, signIns.ofAddress.seconds);
  const ofUser = open('sign-in', signIns.ofUser.points, signIns.ofUser.seconds);
  const mailsOf = open('mail', mails.ofAccount, mails.seconds);
  const mailsTo = open('mail-to', mails.toAddress, mails.seconds);
  return {
    takeMail: async ({ accountId, address }) => {
      const ofAccount = await mailsOf.take(String(accountId));
      return ofAccount.allowed
        ? tighter(ofAccount, await mailsTo.take(digestOf(address.toLowerCase())))
        : ofAccount;
    },
    take: takeAtOnce,
    takeFailure: (address) => failures.take(networkOf(address)),
    takeSignIn: async (tried) => {
      const fromThere = await ofAddress.take(networkOf(tried.address));
      return fromThere.allowed ? tighter(fromThere, await ofUser.take(nameOf(tried))) : fromThere;
    },
    forgetSignIns: async (tried) => {
      await ofUser.forget(nameOf(tried));
    },
  };
}

/** Hashes a login, because logins are usually e-mail addresses, which must not be copied to another store. */
function nameOf({ login, address }: SignInTry): string {
  return digestOf(`${login.toLowerCase()} ${networkOf(address)}`);
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** A limit of each of many keys. */
interface Limiter {
  readonly take: (key: string) => Promise<Taken>;
  readonly forget: (key: string) => Promise<unknown>;
}

/** Minimum time between two reports of a server that fails. */
const reportMs = 60_000;

function createReporter(onError: RequestLimitOptions['onError']): RequestLimitOptions['onError'] {
  let quietUntilMs = -Infinity;
  return (error) => {
    const nowMs = performance.now();
    if (nowMs < quietUntilMs) return;
    quietUntilMs = nowMs + reportMs;
    onError(error);
  };
}

/**
 * Requests of a key that arrive at the same moment are counted together; each gets the count that it would have had alone. `ownLimiter` counts
 * for this process while the server of the other gives no answer.
 */
function createLimiter(
  limiter: RateLimiterAbstract,
  ownLimiter: RateLimiterAbstract,
  report: RequestLimitOptions['onError'],
): Limiter {
  const ask = <T>(counting: (counter: RateLimiterAbstract) => Promise<T>) =>
    answerInTime(answerMsMax, () => counting(limiter)).catch((error: unknown) => {
      report(error);
      return counting(ownLimiter);
    });
  const take = createBatcher<string, Taken>(requestsMax, async (keys) => {
    const counts = new Map<string, number>();
    const places = keys.map((key) => {
      const place = (counts.get(key) ?? 0) + 1;
      counts.set(key, place);
      return place;
    });
    const counted = new Map(
      await Promise.all(
        [...counts].map(
          async ([key, count]) => [key, await ask((counter) => consume(counter, key, count))] as const,
        ),
      ),
    );
    return keys.map((key, i) => {
      const after = (counts.get(key) ?? 0) - (places[i] ?? 0);
      return toTaken(limiter, counted.get(key) ?? new RateLimiterRes(), after);
    });
  });
  return { take, forget: (key) => ask((counter) => counter.delete(key)) };
}

/** Time in which the server counts a request. */
const answerMsMax = 1000;
/** Maximum number of requests that are counted together. */
const requestsMax = 1000;

async function consume(limiter: RateLimiterAbstract, key: string, count: number): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(key, count);
  } catch (error) {
    if (error instanceof RateLimiterRes) return error;
    throw error;
  }
}

/** State after a request that was counted together with `after` later ones. */
function toTaken(
  { points, duration }: RateLimiterAbstract,
  { consumedPoints, msBeforeNext }: RateLimiterRes,
  after: number,
): Taken {
  const consumed = consumedPoints - after;
  return {
    allowed: consumed <= points,
    limit: points,
    remaining: Math.max(0, points - consumed),
    resetMs: Math.max(0, msBeforeNext),
    windowSeconds: duration,
  };
}
