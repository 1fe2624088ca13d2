import { createHash } from 'node:crypto';
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import type { LimitStore } from '../../app/work.ts';
import type { Caller } from '../../core/accounts/authenticate.ts';
import { networkOf } from './request-address.ts';

/** State of a limit after a request. */
export interface Taken {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** When the window ends; milliseconds from now. */
  readonly resetMs: number;
  /** Length of a window. */
  readonly windowSeconds: number;
}

/** Rate limits of keys, accounts and addresses, shared by all processes. */
export interface RequestLimits {
  /** Counts a request of a caller; of the two limits it stands under, the tighter one. */
  take(caller: Caller): Promise<Taken>;
  /** Counts a request with a bad key. */
  takeFailure(address: string): Promise<Taken>;
  /**
   * Counts a try to sign in with a password, before anything is done for it: of its address, and of its address as this user. Others
   * sign in as the same user meanwhile, from where they are.
   */
  takeSignIn(tried: SignInTry): Promise<Taken>;
  /** A user who has signed in begins anew, at that address. */
  forgetSignIns(tried: SignInTry): Promise<void>;
  /** Counts a mail that is sent because an account asks for it: of the account, and of the address, whichever accounts ask. */
  takeMail(mail: MailTry): Promise<Taken>;
}

/** A mail that an account has us send to an address that nobody has confirmed, or as a test. */
export interface MailTry {
  readonly accountId: number;
  readonly address: string;
}

/** Somebody who says who they are, from where. */
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

const windowSeconds = 60;

/**
 * Tries to sign in as one user from one address, and from one address in all: our choice. There is none for a user whatever the address,
 * with which anybody could lock any user out; what all addresses together can try is bounded by the turns of passwords.
 */
const signIns = {
  ofUser: { points: 10, seconds: 10 * 60 },
  ofAddress: { points: 20, seconds: windowSeconds },
};

/** Mails that are sent on request, per hour: our choice. */
const mails = { ofAccount: 10, toAddress: 5, seconds: 60 * 60 };

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
  const ofAddress = limiter('sign-in-from', signIns.ofAddress.points, signIns.ofAddress.seconds);
  const ofUser = limiter('sign-in', signIns.ofUser.points, signIns.ofUser.seconds);
  const mailsOf = limiter('mail', mails.ofAccount, mails.seconds);
  const mailsTo = limiter('mail-to', mails.toAddress, mails.seconds);
  return {
    takeMail: async ({ accountId, address }) => {
      const ofAccount = await take(mailsOf, String(accountId));
      return ofAccount.allowed
        ? tighter(ofAccount, await take(mailsTo, digestOf(address.toLowerCase())))
        : ofAccount;
    },
    take: async ({ id, accountId, requestsPerMinute }) => {
      const ofKey = await take(keys, id);
      // A key beyond its own limit does not use up what its account's other keys may ask.
      if (!ofKey.allowed) return ofKey;
      const ofAccount = accountsAllowed(requestsPerMinute ?? rates.perAccount);
      return tighter(ofKey, await take(ofAccount, String(accountId)));
    },
    takeFailure: (address) => take(failures, networkOf(address)),
    takeSignIn: async (tried) => {
      const fromThere = await take(ofAddress, networkOf(tried.address));
      return fromThere.allowed ? tighter(fromThere, await take(ofUser, nameOf(tried))) : fromThere;
    },
    forgetSignIns: async (tried) => {
      await ofUser.delete(nameOf(tried));
    },
  };
}

/** Logins are e-mail addresses as a rule, which belong into no other store. */
function nameOf({ login, address }: SignInTry): string {
  return digestOf(`${login.toLowerCase()} ${networkOf(address)}`);
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

async function take(limiter: RateLimiterAbstract, key: string): Promise<Taken> {
  try {
    return toTaken(limiter, await limiter.consume(key), true);
  } catch (error) {
    if (error instanceof RateLimiterRes) return toTaken(limiter, error, false);
    throw error;
  }
}

function toTaken(
  { points, duration }: RateLimiterAbstract,
  counted: RateLimiterRes,
  allowed: boolean,
): Taken {
  return {
    allowed,
    limit: points,
    remaining: Math.max(0, counted.remainingPoints),
    resetMs: Math.max(0, counted.msBeforeNext),
    windowSeconds: duration,
  };
}

function tighter(a: Taken, b: Taken): Taken {
  if (a.allowed !== b.allowed) return a.allowed ? b : a;
  return b.remaining < a.remaining ? b : a;
}
