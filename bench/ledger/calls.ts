import { createBatcher } from '../../src/core/async/batcher.ts';
import type { Hold, ReserveStatus, ResolveStatus } from '../../src/core/credits/ledger.ts';
import { percentile } from '../support/figures.ts';
import { expectEqual } from '../support/expect.ts';
import type { HotAccount } from './account.ts';

const priceMicro = 200_000n;

/** Rate of a run of calls. An operation is a row held, or a row resolved. */
export interface CallRate {
  readonly operationsPerSecond: number;
  /** Milliseconds of one call; of one caller's call if calls are combined. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface CallOptions {
  readonly rowsPerCall: number;
  /** Concurrent callers, each with its own connection. */
  readonly callers: number;
  readonly forMs: number;
}

/** Holds and resolves rows, call after call, each in its own transaction. */
export function measureCalls(
  account: HotAccount,
  { rowsPerCall, callers, forMs }: CallOptions,
): Promise<CallRate> {
  const { ledger, accountId } = account;
  return keepCalling(
    account,
    { rowsPerCall, callers, forMs },
    {
      reserve: (holds) => ledger.reserve(accountId, holds),
      resolve: (holds) => ledger.resolve(accountId, holds),
    },
  );
}

/** Measures the same for callers of one row each, combined by the product's batcher into calls of at most 500. */
export function measureCoalesced(
  account: HotAccount,
  options: Omit<CallOptions, 'rowsPerCall'>,
): Promise<CallRate> {
  const { ledger, accountId } = account;
  const reserve = createBatcher<Hold, ReserveStatus>(500, (holds) => ledger.reserve(accountId, holds));
  const resolve = createBatcher<Hold, ResolveStatus>(500, (holds) => ledger.resolve(accountId, holds));
  return keepCalling(
    account,
    { ...options, rowsPerCall: 1 },
    {
      reserve: (holds) => Promise.all(holds.map(reserve)),
      resolve: (holds) => Promise.all(holds.map(resolve)),
    },
  );
}

interface Calls {
  readonly reserve: (holds: readonly Hold[]) => Promise<readonly ReserveStatus[]>;
  readonly resolve: (holds: readonly Hold[]) => Promise<readonly ResolveStatus[]>;
}

async function keepCalling(account: HotAccount, options: CallOptions, calls: Calls): Promise<CallRate> {
  const { rowsPerCall, callers, forMs } = options;
  const latenciesMs: number[] = [];
  const startMs = performance.now();

  async function timedCall<T>(call: () => Promise<readonly T[]>, expected: T): Promise<void> {
    const callMs = performance.now();
    const statuses = await call();
    latenciesMs.push(performance.now() - callMs);
    expectEqual(
      'What the ledger answered',
      statuses.filter((status) => status === expected).length,
      rowsPerCall,
    );
  }

  async function caller(): Promise<void> {
    while (performance.now() - startMs < forMs) {
      const holds = account
        .takeLookups(rowsPerCall)
        .map((lookupId) => ({ lookupId, attempt: 1, amountMicro: priceMicro }));
      await timedCall(() => calls.reserve(holds), 'reserved');
      await timedCall(() => calls.resolve(holds), 'settled');
    }
  }

  await Promise.all(Array.from({ length: callers }, caller));
  const seconds = (performance.now() - startMs) / 1000;
  return {
    operationsPerSecond: Math.round((latenciesMs.length * rowsPerCall) / seconds),
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
  };
}
