import { createHash } from 'node:crypto';
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import type { LimitStore } from '../app.ts';
import type { Caller } from '../core/access/authenticate.ts';

/** How a request stands to a limit. */
export interface Taken {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** When the window ends; milliseconds from now. */
  readonly resetMs: number;
}

/** How often each key, account and address may ask, held by all processes together. */
export interface RequestLimits {
  /** Counts a request of a caller; of the two limits it stands under, the tighter one. */
  take(caller: Caller): Promise<Taken>;
  /** Counts a request with a bad key. */
  takeFailure(address: string): Promise<Taken>;
  /** Counts a try to sign in as somebody, whoever tries. */
  takeSignIn(login: string): Promise<Taken>;
  /** Who has signed in begins anew. */
  forgetSignIns(login: string): Promise<void>;
}

/** Requests per minute. */
export interface LimitRates {
  readonly perKey: number;
  readonly perAccount: number;
  readonly failuresPerAddress: number;
}

const windowSeconds = 60;

/** Tries to sign in as one user, from all addresses together: our choice. A password of twelve characters stands that for ever. */
const signIns = { points: 10, seconds: 10 * 60 };

/**
 * Limits on Redis where there is one, else on Postgres. While neither answers, each process counts for itself: a limit that opens
 * when its store is away is none.
 */
export function createRequestLimits(
  store: LimitStore,
  queuePrefix: string,
  rates: LimitRates,
): RequestLimits {
  const limiter = (name: string, points: number, duration = windowSeconds) => {
    const common = { keyPrefix: `${queuePrefix}:limit:${name}`, points, duration };
    const insuranceLimiter = new RateLimiterMemory(common);
    return store.kind === 'redis'
      ? new RateLimiterRedis({
          ...common,
          insuranceLimiter,
          storeClient: store.client,
          rejectIfRedisNotReady: true,
        })
      : new RateLimiterPostgres({
          ...common,
          insuranceLimiter,
          storeClient: store.pool,
          schemaName: 'nightshift',
          tableName: 'rate_limits',
          tableCreated: true,
        });
  };
  const keys = limiter('key', rates.perKey);
  // Limits of one name count together, whatever each allows: an account has its own, and what it asked for before counts on.
  const accounts = new Map<number, RateLimiterAbstract>();
  const accountsAllowed = (points: number) => {
    const known = accounts.get(points) ?? limiter('account', points);
    accounts.set(points, known);
    return known;
  };
  const failures = limiter('failure', rates.failuresPerAddress);
  const ofLogin = limiter('sign-in', signIns.points, signIns.seconds);
  return {
    take: async ({ id, accountId, requestsPerMinute }) => {
      const ofKey = await take(keys, id);
      // A key beyond its own limit does not use up what its account's other keys may ask.
      if (!ofKey.allowed) return ofKey;
      const ofAccount = accountsAllowed(requestsPerMinute ?? rates.perAccount);
      return tighter(ofKey, await take(ofAccount, String(accountId)));
    },
    takeFailure: (address) => take(failures, address),
    takeSignIn: (login) => take(ofLogin, nameOf(login)),
    forgetSignIns: async (login) => {
      await ofLogin.delete(nameOf(login));
    },
  };
}

/** Logins are e-mail addresses as a rule, which belong into no other store. */
function nameOf(login: string): string {
  return createHash('sha256').update(login.toLowerCase()).digest('base64url');
}

async function take(limiter: RateLimiterAbstract, key: string): Promise<Taken> {
  try {
    return toTaken(limiter, await limiter.consume(key), true);
  } catch (error) {
    if (error instanceof RateLimiterRes) return toTaken(limiter, error, false);
    throw error;
  }
}

function toTaken({ points }: RateLimiterAbstract, counted: RateLimiterRes, allowed: boolean): Taken {
  return {
    allowed,
    limit: points,
    remaining: Math.max(0, counted.remainingPoints),
    resetMs: Math.max(0, counted.msBeforeNext),
  };
}

function tighter(a: Taken, b: Taken): Taken {
  if (a.allowed !== b.allowed) return a.allowed ? b : a;
  return b.remaining < a.remaining ? b : a;
}
