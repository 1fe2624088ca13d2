import { getEventListeners } from 'node:events';
import pLimit from 'p-limit';
import { describe, expect, test } from 'vitest';
import {
  createMailDomainCache,
  type MailDomainCacheOptions,
} from '../../../../../../src/core/emails/domains/mail-domain-cache.ts';
import type {
  MailDomain,
  MailDomainStore,
  MailRoute,
} from '../../../../../../src/core/emails/domains/mail-domain.ts';
import { mailDomainStoreContract } from '../../../../../contract/mail-domain-store.contract.ts';
import { createClock } from '../../../../../support/fake-clock.ts';
import { createMemoryMailDomains } from '../../../../../support/dns-smtp/memory-mail-domains.ts';

mailDomainStoreContract(async () => createMemoryMailDomains());

const signal = new AbortController().signal;
const answerMs = 60_000;

describe('the mail domain cache', () => {
  test('looks a domain up once for concurrent callers', async () => {
    const { known, asked, answerAll } = openDomains({ isHeld: true });
    const domains = Array.from({ length: 5_000 }, (_, n) => `d${n % 50}.com`);
    const answers = Promise.all(domains.map((domain) => known.find(domain, signal)));
    await answerAll(50);
    expect((await answers).map(({ domain }) => domain)).toEqual(domains);
    expect([asked.length, new Set(asked).size]).toEqual([50, 50]);
  });

  test('repeats the lookup after the result expires', async () => {
    const { find, asked, clock } = openDomains();
    const first = await find('a.com');
    clock.moveTo(answerMs - 1);
    expect(await find('a.com')).toBe(first);
    clock.moveTo(answerMs);
    expect(await find('a.com')).not.toBe(first);
    expect(asked).toEqual(['a.com', 'a.com']);
  });

  test('evicts the least recently used domain', async () => {
    const { find, asked } = openDomains({ domainsMax: 3 });
    for (const domain of ['a.com', 'b.com', 'c.com', 'a.com', 'd.com']) await find(domain);
    asked.length = 0;
    for (const domain of ['a.com', 'c.com', 'd.com', 'b.com', 'a.com']) await find(domain);
    expect(asked).toEqual(['b.com', 'a.com']);
  });

  test('holds at most the given number of domains', async () => {
    const { find, asked } = openDomains({ domainsMax: 100 });
    const domains = Array.from({ length: 1_000 }, (_, n) => `d${n}.com`);
    for (const domain of domains) await find(domain);
    asked.length = 0;
    for (const domain of domains.slice(-100)) await find(domain);
    expect(asked).toEqual([]);
    for (const domain of domains.slice(0, 900)) await find(domain);
    expect(asked.length).toBe(900);
  });

  test('continues the lookup when one of several callers stops waiting', async () => {
    const { known, answerAll, signals } = openDomains({ isHeld: true });
    const leaving = new AbortController();
    const first = known.find('a.com', leaving.signal);
    const second = known.find('a.com', signal);
    leaving.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    expect(signals[0]?.aborted).toBe(false);
    await answerAll(1);
    expect(await second).toMatchObject({ domain: 'a.com' });
  });

  test('cancels a lookup without callers, and starts another for the next caller', async () => {
    const { known, asked, signals, answerAll } = openDomains({ isHeld: true });
    const leaving = [new AbortController(), new AbortController()];
    const left = leaving.map((controller) => known.find('a.com', controller.signal));
    await turn();
    for (const controller of leaving) controller.abort(new Error('enough'));
    expect((await Promise.allSettled(left)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(signals[0]?.aborted).toBe(true);
    const next = known.find('a.com', signal);
    await answerAll(2);
    expect(await next).toMatchObject({ domain: 'a.com' });
    expect(asked).toEqual(['a.com', 'a.com']);
  });

  test('does not wait for a cancelled lookup', async () => {
    let calls = 0;
    const find = async (domain: string) => {
      calls += 1;
      return calls === 1 ? new Promise<never>(() => undefined) : answer(domain, 0);
    };
    const { known } = openDomains({ lookup: { find } });
    const leaving = new AbortController();
    const left = known.find('a.com', leaving.signal);
    await turn();
    leaving.abort(new Error('enough'));
    await expect(left).rejects.toThrow('enough');
    expect(await known.find('a.com', signal)).toMatchObject({ domain: 'a.com' });
  });

  test('rejects a caller whose signal has aborted before', async () => {
    const { find, known, asked } = openDomains();
    await find('a.com');
    const stopped = AbortSignal.abort(new Error('enough'));
    await expect(known.find('a.com', stopped)).rejects.toThrow('enough');
    await expect(known.find('b.com', stopped)).rejects.toThrow('enough');
    expect(asked).toEqual(['a.com']);
  });

  test('leaves no listener on the signal of a long batch', async () => {
    const { find } = openDomains();
    const batch = new AbortController();
    for (let n = 0; n < 50; n += 1) await find(`d${n}.com`, batch.signal);
    expect(getEventListeners(batch.signal, 'abort')).toEqual([]);
  });

  test('rejects all callers after a defect, and looks up again for the next', async () => {
    let calls = 0;
    const { known } = openDomains({
      lookup: {
        find: async (domain) => {
          calls += 1;
          if (calls === 1) throw new Error('a defect');
          return answer(domain, 0);
        },
      },
    });
    const both = await Promise.allSettled([known.find('a.com', signal), known.find('a.com', signal)]);
    expect(both).toMatchObject([{ reason: { message: 'a defect' } }, { reason: { message: 'a defect' } }]);
    expect(await known.find('a.com', signal)).toMatchObject({ domain: 'a.com' });
  });

  test('limits concurrent lookups', async () => {
    const { known, asked, answerAll } = openDomains({ isHeld: true, limit: pLimit(4) });
    const answers = Promise.all(Array.from({ length: 10 }, (_, n) => known.find(`d${n}.com`, signal)));
    await turn();
    expect(asked.length).toBe(4);
    await answerAll(10);
    expect((await answers).length).toBe(10);
  });

  test('skips a queued lookup without callers', async () => {
    const { known, asked, answerAll } = openDomains({ isHeld: true, limit: pLimit(1) });
    const leaving = new AbortController();
    const first = known.find('a.com', signal);
    const left = known.find('b.com', leaving.signal);
    await turn();
    leaving.abort(new Error('enough'));
    await expect(left).rejects.toThrow('enough');
    await answerAll(1);
    await first;
    await turn();
    expect(asked).toEqual(['a.com']);
  });
});

describe('the mail domain cache with a store', () => {
  test('uses results of other processes', async () => {
    const store = createMemoryMailDomains();
    const found = answer('a.com', 0);
    await store.write([found]);
    const { find, asked } = openDomains({ store });
    expect(await find('a.com')).toEqual(found);
    expect(await find('a.com')).toEqual(found);
    expect(asked).toEqual([]);
  });

  test('repeats an expired lookup and stores the result', async () => {
    const store = createMemoryMailDomains();
    await store.write([answer('a.com', -answerMs)]);
    const { find, asked } = openDomains({ store });
    const found = await find('a.com');
    expect(asked).toEqual(['a.com']);
    expect((await store.read(['a.com'])).get('a.com')).toEqual(found);
  });

  test('does not store errors of DNS', async () => {
    const store = createMemoryMailDomains();
    const route: MailRoute = { kind: 'unknown', reason: 'dns_timeout' };
    const { find, asked } = openDomains({ store, route });
    await find('a.com');
    await find('a.com');
    expect(asked).toEqual(['a.com']);
    expect((await store.read(['a.com'])).size).toBe(0);
  });

  test('batches reads and writes', async () => {
    const trips: number[] = [];
    const store = countingStore(trips);
    const { known } = openDomains({ store });
    await Promise.all(Array.from({ length: 2_000 }, (_, n) => known.find(`d${n % 1_000}.com`, signal)));
    expect(trips.length).toBeLessThanOrEqual(8);
    expect(trips.reduce((sum, size) => sum + size, 0)).toBe(2_000);
  });

  test('continues without an unavailable store, and reports one error a batch', async () => {
    const errors: unknown[] = [];
    const away = new Error('away');
    const store: MailDomainStore = { read: () => Promise.reject(away), write: () => Promise.reject(away) };
    const { known, asked } = openDomains({ store, onError: (error) => errors.push(error) });
    const answers = Array.from({ length: 50 }, (_, n) => known.find(`d${n}.com`, signal));
    expect((await Promise.all(answers)).length).toBe(50);
    expect(asked.length).toBe(50);
    expect(errors.every((error) => error === away)).toBe(true);
    expect(errors.length).toBeGreaterThanOrEqual(2);
    expect(errors.length).toBeLessThanOrEqual(4);
  });
});

type DomainsOptions = Partial<MailDomainCacheOptions> & {
  /** Result of the lookup. */
  readonly route?: MailRoute;
  /** The lookup waits for `answerAll`; otherwise it answers at once. */
  readonly isHeld?: boolean;
};

function openDomains({ route, isHeld = false, ...options }: DomainsOptions = {}) {
  const clock = createClock();
  const asked: string[] = [];
  const signals: AbortSignal[] = [];
  let held: (() => void)[] = [];
  const known = createMailDomainCache({
    lookup: {
      find: (domain, by) => {
        by.throwIfAborted();
        asked.push(domain);
        signals.push(by);
        return new Promise((resolve, reject) => {
          by.addEventListener('abort', () => reject(new Error('aborted')));
          held.push(() => resolve(answer(domain, clock.nowMs(), route)));
          if (!isHeld) release();
        });
      },
    },
    store: null,
    nowMs: clock.nowMs,
    limit: (work) => work(),
    onError: (error) => {
      throw error;
    },
    ...options,
  });

  function release(): void {
    for (const one of held) one();
    held = [];
  }

  /** Waits until this many lookups have started, and answers each. */
  async function answerAll(count: number): Promise<void> {
    while (asked.length < count) {
      release();
      await turn();
    }
    release();
  }

  const find = (domain: string, by = signal) => known.find(domain, by);
  return { known, find, asked, signals, clock, answerAll };
}

function countingStore(trips: number[]): MailDomainStore {
  const store = createMemoryMailDomains();
  return {
    read: (domains) => {
      trips.push(domains.length);
      return store.read(domains);
    },
    write: (found) => {
      trips.push(found.length);
      return store.write(found);
    },
  };
}

function answer(domain: string, checkedMs: number, route?: MailRoute): MailDomain {
  return {
    domain,
    route: route ?? { kind: 'none', reason: 'null_mx', mx: null },
    hasSpf: null,
    hasDmarc: null,
    checkedAt: new Date(checkedMs),
    expiresAt: new Date(checkedMs + answerMs),
  };
}

/** Runs everything that does not wait for time. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
