import { createBatcher } from '../../core/async/batcher.ts';
import type { Caller } from '../../core/accounts/authenticate.ts';
import type { CountedRequests, RequestCounter, WindowCount } from '../../core/accounts/request-counter.ts';

/** State of a limit after a request. */
export interface Taken {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until the window ends. */
  readonly resetMs: number;
  /** Length of the window. */
  readonly windowSeconds: number;
}

/** Returns the tighter of two limits. */
export function tighter(a: Taken, b: Taken): Taken {
  if (a.allowed !== b.allowed) return a.allowed ? b : a;
  return b.remaining < a.remaining ? b : a;
}

export interface RequestTakerOptions {
  /** Names of the counters of a caller. */
  readonly namesOf: (caller: Caller) => { readonly key: string; readonly account: string };
  readonly perKey: number;
  /** Limit of accounts without one of their own. */
  readonly perAccount: number;
  readonly windowSeconds: number;
  /** Counts a request while the counter fails. */
  readonly otherwise: (caller: Caller) => Promise<Taken>;
}

/** Maximum number of requests that are counted together. */
const requestsMax = 1000;

/**
 * Creates a function that counts a request of a caller for both of its limits at once. Requests that arrive at the same moment share a
 * statement; each gets the count that it would have had alone.
 */
export function createRequestTaker(
  count: RequestCounter,
  options: RequestTakerOptions,
): (caller: Caller) => Promise<Taken> {
  const counted = createBatcher<Caller, Taken | null>(requestsMax, (callers) =>
    countAll(count, callers, options).catch(() => callers.map(() => null)),
  );
  return async (caller) => (await counted(caller)) ?? options.otherwise(caller);
}

async function countAll(
  count: RequestCounter,
  callers: readonly Caller[],
  { namesOf, perKey, perAccount, windowSeconds }: RequestTakerOptions,
): Promise<readonly Taken[]> {
  const asked = callers.map((caller) => ({
    ...namesOf(caller),
    keyMax: perKey,
    accountMax: caller.requestsPerMinute ?? perAccount,
  }));
  const ofKeys = new Map(asked.map(({ key }) => [key, asked.filter((each) => each.key === key)]));
  const toCount = [...ofKeys.values()].flatMap((requests) =>
    requests.slice(0, 1).map((first) => ({ ...first, requests: requests.length })),
  );
  const counts = await count(toCount, { nowMs: Date.now(), windowMs: windowSeconds * 1000 });
  // After the answer: another process may have begun the window meanwhile.
  const nowMs = Date.now();
  const byKey = new Map(toCount.map(({ key }, i) => [key, counts[i]]));
  const nextOf = placesOf(toCount, byKey);
  const toTaken = ({ endsAtMs }: WindowCount, consumed: number, limit: number): Taken => ({
    allowed: consumed <= limit,
    limit,
    remaining: Math.max(0, limit - consumed),
    resetMs: Math.max(0, endsAtMs - nowMs),
    windowSeconds,
  });
  return asked.map(({ key, account, keyMax, accountMax }) => {
    const counted = byKey.get(key);
    if (counted === undefined) throw new Error(`The requests of ${key} were not counted.`);
    const ofKey = toTaken(counted.ofKey, nextOf(key), keyMax);
    if (!ofKey.allowed || counted.ofAccount === null) return ofKey;
    return tighter(ofKey, toTaken(counted.ofAccount, nextOf(account), accountMax));
  });
}

/** Returns a function that numbers the requests of a counter in their order, so that the last one gets the count of all. */
function placesOf(
  counted: readonly {
    readonly key: string;
    readonly keyMax: number;
    readonly account: string;
    readonly requests: number;
  }[],
  byKey: ReadonlyMap<string, CountedRequests | undefined>,
): (name: string) => number {
  const last = new Map<string, number>();
  for (const { key, keyMax, account, requests } of counted) {
    const { ofKey, ofAccount } = byKey.get(key) ?? {};
    if (ofKey === undefined) continue;
    last.set(key, ofKey.requests - requests);
    const within = Math.max(0, Math.min(requests, keyMax - ofKey.requests + requests));
    if (ofAccount !== null && ofAccount !== undefined)
      last.set(account, (last.get(account) ?? ofAccount.requests) - within);
  }
  return (name) => {
    const place = (last.get(name) ?? 0) + 1;
    last.set(name, place);
    return place;
  };
}
