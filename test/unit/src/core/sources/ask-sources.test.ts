import { setImmediate as afterOthers } from 'node:timers/promises';
import pLimit from 'p-limit';
import { describe, expect, test } from 'vitest';
import type { BatchedAdSource } from '../../../../../src/core/sources/ad-source.ts';
import { anySearch, type AdsAnswer } from '../../../../../src/core/ads/ads-answer.ts';
import { ShutdownError } from '../../../../../src/core/async/shutdown-error.ts';
import { askSources, type AskOptions } from '../../../../../src/core/sources/ask-sources.ts';
import type { Ad } from '../../../../../src/core/ads/ad.ts';
import type { Gate, RateLimiter, Reservation } from '../../../../../src/core/sources/rate-limiter.ts';
import {
  DatabaseUnavailable,
  LeaseLost,
  Misconfigured,
  QueueUnavailable,
  SourcePaused,
  SourceRefused,
  SourceThrottled,
  SourceUnavailable,
  SourceUnreadable,
} from '../../../../../src/core/errors.ts';
import { sourceFailure } from '../../../../../src/core/work/retry-policies.ts';
import type { EarlierCall } from '../../../../../src/core/work/claim.ts';
import {
  dueReservation,
  fakeAsking,
  fakeLiveSource,
  fakeLocalSource,
  heldLease,
  lookupsOf,
} from '../../../../support/sources/fake-calls.ts';
import { found } from '../../../../support/db/fixture.ts';

const ads = found(['cr-1']);
const stored: AdsAnswer = {
  kind: 'stored',
  advertisers: [{ key: 1n, relation: 'own' }],
  matchedBy: 'name',
};
const none: AdsAnswer = { kind: 'none', matchedBy: 'domain' };
const noMatch: AdsAnswer = { kind: 'no_match' };
const unavailable = new SourceUnavailable('down', { inDoubt: false });
const cutOff = new SourceUnavailable('cut off', { inDoubt: true });
const unreadable = new SourceUnreadable('odd');
const throttled = new SourceThrottled('slowly');

/** A rate limiter with a due slot, which rejects every pause as too long. */
const noWaiting: RateLimiter = {
  reserve: () => Promise.resolve(dueReservation),
  pauseUntil: () => Promise.reject(throttled),
  learn: () => Promise.resolve(),
};

/** An earlier call for company 1. */
const earlierCall = (state: EarlierCall['state']): EarlierCall => ({
  callId: 1n,
  source: 'live',
  about: 'ads of d:company-1.com',
  state,
});

const liveAnswering = (answer: AdsAnswer | Error, name = 'live', idempotent = false) =>
  fakeLiveSource(
    () => {
      if (answer instanceof Error) throw answer;
      return answer;
    },
    { name, idempotent, bucket: `${name}:bucket` },
  ).source;
const localAnswering = (answer: AdsAnswer, name = 'snapshot') =>
  fakeLocalSource({ 'company-1.com': answer }, name).source;

describe('answers of several sources', () => {
  const failed = (reason: string) => ({ kind: 'failed', reason });

  test.each([
    ['ads of the first source', [ads, none], 'a', ads],
    ['ads of the second source after none', [none, ads], 'b', ads],
    ['ads of the second source after a failure', [unreadable, ads], 'b', ads],
    [
      'a failure of the first source, even if the second finds none',
      [unreadable, none],
      'a',
      failed('source_unreadable'),
    ],
    [
      'a failure of the second source, even if the first finds none',
      [none, unreadable],
      'b',
      failed('source_unreadable'),
    ],
    ['none, if the first source did not identify the company', [noMatch, none], 'b', none],
    ['none, if the second source does not identify the company', [none, noMatch], 'a', none],
    ['the first of two none answers', [none, { kind: 'none', matchedBy: 'name' }], 'a', none],
    ['no_match, if no source identified the company', [noMatch, noMatch], 'a', noMatch],
  ] as const)('result in: %s', async (_, answers, source, answer) => {
    const { options, results } = fakeAsking();
    const sources = answers.map((each, i) => liveAnswering(each, ['a', 'b'][i]));
    expect(await askSources(sources, lookupsOf(1), options)).toEqual([]);
    expect(results).toMatchObject([{ lookupId: 1n, source, answer }]);
  });

  test('are requested from a later source only for companies without ads so far', async () => {
    const local = fakeLocalSource({ 'company-1.com': stored, 'company-2.com': none });
    const live = fakeLiveSource(() => ads);
    const { options, results } = fakeAsking();
    await askSources([local.source, live.source], lookupsOf(3), options);
    expect(local.asked).toEqual([['company-1.com', 'company-2.com', 'company-3.com']]);
    expect(live.questions.map(({ requestKey }) => requestKey)).toEqual(['key-2', 'key-3']);
    expect(results.map(({ lookupId, source }) => [lookupId, source])).toEqual([
      [1n, 'snapshot'],
      [2n, 'live'],
      [3n, 'live'],
    ]);
  });

  test('are not requested from a later source if all companies have ads', async () => {
    const live = fakeLiveSource(() => ads);
    const { options } = fakeAsking();
    await askSources([localAnswering(stored), live.source], lookupsOf(1), options);
    expect(live.questions).toEqual([]);
  });

  test('are retried after a temporary error even if another source failed permanently', async () => {
    for (const answers of [
      [unavailable, unreadable],
      [unreadable, unavailable],
    ]) {
      const { options, results } = fakeAsking();
      const sources = answers.map((each, i) => liveAnswering(each, ['a', 'b'][i]));
      expect(await askSources(sources, lookupsOf(1), options)).toEqual([
        { lookupId: 1n, error: unavailable },
      ]);
      expect(results).toEqual([]);
    }
  });

  test('end the lookup if a call is in doubt, unless another source found ads', async () => {
    for (const answers of [
      [cutOff, unreadable],
      [cutOff, none],
    ]) {
      const { options, results } = fakeAsking({ rateLimiter: noWaiting });
      const sources = answers.map((each, i) => liveAnswering(each, ['a', 'b'][i]));
      expect(await askSources(sources, lookupsOf(1), options)).toEqual([]);
      expect(results).toMatchObject([{ answer: { kind: 'failed', reason: 'in_doubt' } }]);
    }
    const { options, results } = fakeAsking();
    await askSources([liveAnswering(cutOff, 'a'), liveAnswering(ads, 'b')], lookupsOf(1), options);
    expect(results).toMatchObject([{ source: 'b', answer: { kind: 'found' } }]);
  });

  test('are retried after a temporary error even if another call is in doubt, up to the limit of tries', async () => {
    for (const [answers, tries, deferrals] of [
      [[cutOff, throttled], sourceFailure.triesMax, 1],
      [[throttled, cutOff], sourceFailure.triesMax, 1],
      [[cutOff, unavailable], 0, 1],
      [[cutOff, unavailable], sourceFailure.triesMax - 1, 0],
    ] as const) {
      const { options, results } = fakeAsking({ rateLimiter: noWaiting });
      const sources = answers.map((each, i) => liveAnswering(each, ['a', 'b'][i]));
      expect(await askSources(sources, lookupsOf(1, { tries }), options)).toHaveLength(deferrals);
      expect(results.map(({ answer }) => answer)).toEqual(
        deferrals === 1 ? [] : [{ kind: 'failed', reason: 'in_doubt' }],
      );
    }
  });

  test('include an earlier none or no_match of a source, which is not called again', async () => {
    const { source, questions } = fakeLiveSource(() => ads, { name: 'a' });
    for (const [partialAnswer, reported] of [
      [
        { source: 'a', reported: 'none', matchedBy: 'name' },
        { kind: 'none', matchedBy: 'name' },
      ],
      [{ source: 'a', reported: 'no_match' }, { kind: 'no_match' }],
    ] as const) {
      for (const order of [
        [source, liveAnswering(noMatch, 'b')],
        [liveAnswering(noMatch, 'b'), source],
      ]) {
        const { options, results } = fakeAsking();
        await askSources(order, lookupsOf(1, { reported: [partialAnswer] }), options);
        expect(results).toMatchObject([{ answer: reported }]);
        expect(results[0]?.asked).toEqual([
          { source: 'a', reported: partialAnswer.reported },
          { source: 'b', reported: 'no_match' },
        ]);
      }
    }
    expect(questions).toEqual([]);
  });

  test('are reported as partial answers if the lookup stays open', async () => {
    const { options } = fakeAsking({ rateLimiter: noWaiting });
    const reported = new Map<bigint, unknown>();
    const onPartialAnswer: AskOptions['onPartialAnswer'] = (view) =>
      void reported.set(view.lookup.lookupId, view.reported);
    await askSources([liveAnswering(none, 'a'), liveAnswering(throttled, 'b')], lookupsOf(2), {
      ...options,
      onPartialAnswer,
    });
    const partialAnswer = { source: 'a', reported: 'none', matchedBy: 'domain' };
    expect([...reported]).toEqual([
      [1n, [partialAnswer]],
      [2n, [partialAnswer]],
    ]);
  });

  test('apply the limit of ads after third parties are left out', async () => {
    const search = { ...anySearch, adsMax: 1, ownOnly: true };
    const { options, results } = fakeAsking({ search });
    const unknown = {
      format: null,
      originalUrl: null,
      variants: [],
      start: null,
      lastSeen: null,
      text: null,
    };
    const own: Ad = {
      ...unknown,
      advertiserId: 'google:AR-2',
      creativeId: 'google:cr-2',
      advertiserName: 'Acme Inc.',
    };
    const agency: Ad = {
      ...unknown,
      advertiserId: 'google:AR-1',
      creativeId: 'google:cr-1',
      advertiserName: 'Agency',
    };
    const { source, questions } = fakeLiveSource(({ adsMax }) => ({
      kind: 'found',
      matchedBy: 'domain',
      ads: [agency, own].slice(0, adsMax ?? 2),
    }));
    const company = { key: 'd:acme.com', domain: 'acme.com', name: null };
    await askSources([source], lookupsOf(1, { company }), options);
    expect(questions).toMatchObject([{ adsMax: null, ownOnly: true }]);
    expect(results).toMatchObject([{ answer: { kind: 'found', ads: [own] } }]);
  });

  test('come with the uncertain advertisers of all sources, without those that the operator has decided', async () => {
    const company = { key: 'n:nike', domain: null, name: 'Nike' };
    const mapping = [{ advertiserId: 'AR-2', role: 'deny' }] as const;
    const { options, results } = fakeAsking({
      findMappings: () => Promise.resolve(new Map([['n:nike', mapping]])),
    });
    const candidate = (advertiserId: string) => ({
      advertiserId,
      ...{ name: 'NIKE SRL', legalName: null, location: 'IT', verification: null, adsCount: 3 },
      ...{ confidence: 0.5, reasons: ['name_equal'] as const },
    });
    const uncertain = { kind: 'no_match', candidates: [candidate('AR-1'), candidate('AR-2')] } as const;
    const none = { kind: 'none', matchedBy: 'name', candidates: [candidate('AR-3')] } as const;
    const sources = [liveAnswering(uncertain, 'a'), liveAnswering(none, 'b')];
    await askSources(sources, lookupsOf(1, { company }), options);
    expect(results).toMatchObject([
      {
        companyKey: 'n:nike',
        candidates: [
          { ...candidate('AR-1'), source: 'a' },
          { ...candidate('AR-3'), source: 'b' },
        ],
      },
    ]);
  });

  test('come with the twenty likeliest of many uncertain advertisers', async () => {
    const { options, results } = fakeAsking();
    const candidates = Array.from({ length: 30 }, (_, i) => ({
      advertiserId: `AR-${i}`,
      ...{ name: 'Acme', legalName: null, location: null, verification: null, adsCount: null },
      ...{ confidence: i / 100, reasons: ['name_similar'] as const },
    }));
    await askSources([liveAnswering({ kind: 'no_match', candidates }, 'a')], lookupsOf(1), options);
    const [result] = results;
    expect(result?.candidates?.map(({ advertiserId }) => advertiserId)).toEqual(
      Array.from({ length: 20 }, (_, i) => `AR-${29 - i}`),
    );
  });

  test('require at least one source', async () => {
    await expect(askSources([], lookupsOf(1), fakeAsking().options)).rejects.toThrow('put to no source');
  });

  test('require an answer of a local source for every company', async () => {
    const source = { ...localAnswering(none), findAds: () => Promise.resolve([]) };
    await expect(askSources([source], lookupsOf(1), fakeAsking().options)).rejects.toThrow('fewer companies');
  });
});

describe('the answer of each source', () => {
  test('is in the result in the order of calls, an error with its message', async () => {
    const { options, results } = fakeAsking();
    const sources = [localAnswering(noMatch), liveAnswering(unavailable, 'a'), liveAnswering(ads, 'b')];
    await askSources(sources, lookupsOf(1), options);
    expect(results[0]?.asked).toEqual([
      { source: 'snapshot', reported: 'no_match' },
      { source: 'a', reported: 'source_unavailable', message: 'down' },
      { source: 'b', reported: 'found' },
    ]);
  });

  test('is left out for a local source without data', async () => {
    const { source } = fakeLocalSource({ 'company-1.com': null }, 'store');
    const { options, results } = fakeAsking();
    await askSources([source, liveAnswering(none)], lookupsOf(1), options);
    const asked = [{ source: 'live', reported: 'none' }];
    expect(results).toEqual([{ lookupId: 1n, source: 'live', answer: none, asked }]);
  });

  test('can outvote a failure with none, but not with no_match', async () => {
    for (const [other, kind] of [
      [none, 'none'],
      [noMatch, 'failed'],
    ] as const) {
      const { options, results } = fakeAsking({ noneOutvotesFailed: true });
      await askSources([liveAnswering(unreadable, 'a'), liveAnswering(other, 'b')], lookupsOf(1), options);
      expect(results).toMatchObject([{ answer: { kind }, asked: [{ reported: 'source_unreadable' }, {}] }]);
    }
  });
});

test('the ads of a source are limited to the stored size', async () => {
  const { options, results } = fakeAsking();
  const markup = {
    content: `<img src="https://a.example/${'a="'.repeat(3_000_000)}">`,
    height: null,
    width: null,
  };
  const given = found(['cr-1']);
  if (given.kind !== 'found') throw new Error(given.kind);
  const huge: AdsAnswer = { ...given, ads: given.ads.map((ad) => ({ ...ad, variants: [markup] })) };
  await askSources([liveAnswering(huge)], lookupsOf(1), options);
  expect(results).toMatchObject([
    { answer: { kind: 'found', ads: [{ creativeId: 'google:cr-1', variants: [] }] } },
  ]);
});

describe('every source receives', () => {
  test('the company, its mapping and the search options', async () => {
    const mapping = [{ advertiserId: 'google:AR-1', role: 'allow' as const }];
    const keys: (readonly string[])[] = [];
    const { options } = fakeAsking({
      search: { ...anySearch, region: 'DE', adsMax: 5 },
      via: ['another installation'],
      findMappings: async (companyKeys) => {
        keys.push(companyKeys);
        return new Map([['d:company-2.com', mapping]]);
      },
    });
    const { source, questions } = fakeLiveSource(() => none);
    const [one, two] = lookupsOf(2);
    await askSources([source], lookupsOf(2), options);
    const reported = {
      region: 'DE',
      surface: null,
      adsMax: 5,
      ownOnly: false,
      via: ['another installation'],
    };
    expect(questions).toEqual([
      { company: one?.company, requestKey: 'key-1', mapping: [], ...reported },
      { company: two?.company, requestKey: 'key-2', mapping, ...reported },
    ]);
    expect(keys).toEqual([['d:company-1.com', 'd:company-2.com']]);
  });
});

describe('a batched source', () => {
  const batchedAnswering = (answers: readonly AdsAnswer[] | Error) => {
    const asked: number[] = [];
    const { source } = fakeLiveSource(() => none, { name: 'batched' });
    const batched: BatchedAdSource = {
      ...source,
      kind: 'batched',
      findAds: (questions, exchange) => {
        asked.push(questions.length);
        const send = () =>
          answers instanceof Error ? Promise.reject(answers) : Promise.resolve({ text: '', allowance: null });
        const read = () => ({ value: answers as readonly AdsAnswer[], says: 'found' as const, units: 1 });
        return exchange({ about: 'all of them', unitsMax: 1, send, read });
      },
    };
    return { batched, asked };
  };

  test('is called once, with one log entry, for all open lookups', async () => {
    const { options, results, events } = fakeAsking();
    const { batched, asked } = batchedAnswering([ads, none]);
    const local = fakeLocalSource({ 'company-1.com': stored });
    await askSources([local.source, batched], lookupsOf(3), options);
    expect([asked, events.filter((event) => event.startsWith('begin'))]).toEqual([[2], ['begin key-2']]);
    expect(results.map(({ lookupId, answer }) => [lookupId, answer.kind])).toEqual([
      [1n, 'stored'],
      [2n, 'found'],
      [3n, 'none'],
    ]);
  });

  test('fails all lookups if its call fails', async () => {
    const { options, results } = fakeAsking();
    expect(await askSources([batchedAnswering(unavailable).batched], lookupsOf(2), options)).toMatchObject([
      { lookupId: 1n, error: unavailable },
      { lookupId: 2n, error: unavailable },
    ]);
    expect(results).toEqual([]);
  });

  test('must answer every company', async () => {
    const asking = askSources([batchedAnswering([none]).batched], lookupsOf(2), fakeAsking().options);
    await expect(asking).rejects.toThrow('fewer companies');
  });
});

describe('a source call', () => {
  test('is logged before it is sent, and its answer and charge afterwards', async () => {
    const { options, events } = fakeAsking();
    const { source } = fakeLiveSource(() => {
      events.push('sent');
      return none;
    });
    await askSources([source], lookupsOf(1), options);
    expect(events).toEqual(['turn at live:bucket', 'begin key-1', 'sent', 'end key-1 as none']);
  });

  test('is not sent if it cannot be logged', async () => {
    const { source, questions } = fakeLiveSource(() => ads);
    const { options } = fakeAsking();
    const begin = () => Promise.reject(new DatabaseUnavailable('away'));
    const asking = askSources([source], lookupsOf(1), { ...options, calls: { ...options.calls, begin } });
    await expect(asking).rejects.toMatchObject({ code: 'database_unavailable' });
    expect(questions).toEqual([]);
  });

  test('throws an error of the database if its answer cannot be logged, without a result of the lookup', async () => {
    const { options, results } = fakeAsking();
    const end = () => Promise.reject(new DatabaseUnavailable('away'));
    const asking = askSources([liveAnswering(ads)], lookupsOf(1), {
      ...options,
      calls: { ...options.calls, end },
    });
    await expect(asking).rejects.toMatchObject({ code: 'database_unavailable' });
    expect(results).toEqual([]);
  });

  test('gets a new reservation if its slot has passed while it was logged, and is logged once', async () => {
    const { options, events } = fakeAsking();
    let turns = 0;
    const reserve = async (): Promise<Reservation> => {
      turns += 1;
      const isDue = turns > 2;
      return { comes: () => Promise.resolve(isDue) };
    };
    const { source, questions } = fakeLiveSource(() => none);
    await askSources([source], lookupsOf(1), {
      ...options,
      rateLimiter: { ...options.rateLimiter, reserve },
    });
    expect([turns, questions.length]).toEqual([3, 1]);
    expect(events).toEqual(['begin key-1', 'end key-1 as none']);
  });

  test('is logged as not sent if it is aborted before its slot', async () => {
    const { options, events, unanswered } = fakeAsking();
    const reason = new Error('stopping');
    const reserve = () => Promise.resolve<Reservation>({ comes: () => Promise.reject(reason) });
    const { source, questions } = fakeLiveSource(() => none);
    const asking = askSources([source], lookupsOf(1), {
      ...options,
      rateLimiter: { ...options.rateLimiter, reserve },
    });
    await expect(asking).rejects.toBe(reason);
    expect([events, questions, unanswered()]).toEqual([['begin key-1', 'end key-1 as not_sent'], [], []]);
  });

  test.each([
    ['until the process stops, if its lookup comes back', true, false],
    ['as long as its lease is held, for a caller who waits', false, true],
  ])('is logged as not sent after its lease was lost: %s', async (_, comesBack, gaveUp) => {
    const lease = new AbortController();
    const lost = new LeaseLost('lost');
    const { options } = fakeAsking({
      lease: { ...heldLease(lease.signal), stopSignal: new AbortController().signal },
      comesBack,
    });
    const signals: (AbortSignal | undefined)[] = [];
    const calls: AskOptions['calls'] = {
      ...options.calls,
      end: async (source, callId, end, signal) => {
        signals.push(signal);
        return options.calls.end(source, callId, end, signal);
      },
    };
    const comes: Reservation['comes'] = async (signal) => {
      lease.abort(lost);
      signal.throwIfAborted();
      return true;
    };
    const rateLimiter = { ...options.rateLimiter, reserve: async () => ({ comes }) };
    const asked = askSources([liveAnswering(none)], lookupsOf(1), { ...options, calls, rateLimiter });
    await expect(asked).rejects.toBe(lost);
    expect(signals.map((signal) => signal?.aborted)).toEqual([gaveUp]);
  });

  test('is logged as not sent if the process stops while the database is away, as long as its lease is held', async () => {
    const stopping = new AbortController();
    const { options, unanswered } = fakeAsking({
      lease: { ...heldLease(), stopSignal: stopping.signal },
    });
    const calls: AskOptions['calls'] = {
      ...options.calls,
      // Away at the first try; repeated if the signal allows.
      end: async (source, callId, end, signal) => {
        stopping.abort(new Error('stopping'));
        if (signal?.aborted !== false) throw new DatabaseUnavailable('away');
        return options.calls.end(source, callId, end, signal);
      },
    };
    const reason = new Error('cut off');
    const reserve = () => Promise.resolve<Reservation>({ comes: () => Promise.reject(reason) });
    const rateLimiter = { ...options.rateLimiter, reserve };
    const asked = askSources([liveAnswering(none)], lookupsOf(1), { ...options, calls, rateLimiter });
    await expect(asked).rejects.toBe(reason);
    expect(unanswered()).toEqual([]);
  });

  test('respects the concurrency limit of the process', async () => {
    let running = 0;
    let most = 0;
    const { options } = fakeAsking({
      limit: async (work) => {
        running += 1;
        most = Math.max(most, running);
        const result = await work();
        running -= 1;
        return result;
      },
    });
    const { source, questions } = fakeLiveSource(() => {
      expect(running).toBeGreaterThan(0);
      return none;
    });
    await askSources([source], lookupsOf(5), options);
    expect([questions.length, most]).toEqual([5, 5]);
  });
});

describe('a temporary error', () => {
  test.each([unavailable, throttled])('defers the lookup: $code', async (error) => {
    const { options, results } = fakeAsking({ rateLimiter: noWaiting });
    expect(await askSources([liveAnswering(error)], lookupsOf(2), options)).toHaveLength(2);
    expect(results).toEqual([]);
  });

  test('fails the lookup with its last try', async () => {
    const before = await ask(sourceFailure.triesMax - 2, unavailable);
    const last = await ask(sourceFailure.triesMax - 1, unavailable);
    expect([before.deferred.length, last.deferred.length]).toEqual([1, 0]);
    const answer = { kind: 'failed', reason: 'source_unavailable' };
    const asked = [{ source: 'live', reported: 'source_unavailable', message: 'down' }];
    expect(last.results).toEqual([{ lookupId: 1n, source: 'live', answer, asked }]);
  });

  test('uses up no try if the source throttles', async () => {
    const { deferred, results } = await ask(100, throttled);
    expect([deferred.length, results.length]).toEqual([1, 0]);
  });

  async function ask(tries: number, error: Error) {
    const { options, results } = fakeAsking({ rateLimiter: noWaiting });
    const deferred = await askSources([liveAnswering(error)], lookupsOf(1, { tries }), options);
    return { deferred, results };
  }
});

describe('a source that throttles', () => {
  test('pauses its rate limit for the requested delay and is called again with the same request key', async () => {
    const { options, events, results } = fakeAsking();
    let asked = 0;
    const { source, questions } = fakeLiveSource(() => {
      asked += 1;
      if (asked <= 2) throw new SourceThrottled('slowly', { delayMs: 7000 });
      return ads;
    });
    await askSources([source], lookupsOf(1), options);
    expect(events.filter((event) => event.startsWith('hold'))).toEqual([
      'hold off live:bucket for 7000 ms',
      'hold off live:bucket for 7000 ms',
    ]);
    expect(events.filter((event) => event.startsWith('turn'))).toHaveLength(3);
    expect(new Set(questions.map(({ requestKey }) => requestKey))).toEqual(new Set(['key-1']));
    expect(results).toMatchObject([{ answer: { kind: 'found' } }]);
  });

  test('pauses its rate limit with a backoff from one second to one minute if it gives no delay', async () => {
    const { options, events } = fakeAsking();
    let asked = 0;
    const { source } = fakeLiveSource(() => {
      asked += 1;
      if (asked <= 8) throw throttled;
      return none;
    });
    await askSources([source], lookupsOf(1), options);
    const delays = events
      .filter((event) => event.startsWith('hold'))
      .map((event) => /(\d+) ms/.exec(event)?.[1]);
    expect(delays).toEqual(['1000', '2000', '4000', '8000', '16000', '32000', '60000', '60000']);
  });

  test('reschedules the lookup if the delay exceeds the wait budget', async () => {
    const { options } = fakeAsking();
    const tooFar = new SourceThrottled('no free slot', { delayMs: 90_000 });
    const rateLimiter = { ...options.rateLimiter, reserve: () => Promise.reject(tooFar) };
    const { source, questions } = fakeLiveSource(() => ads);
    expect(await askSources([source], lookupsOf(1), { ...options, rateLimiter })).toEqual([
      { lookupId: 1n, error: tooFar },
    ]);
    expect(questions).toEqual([]);
  });
});

describe('a call that was interrupted after it was sent', () => {
  test('ends the lookup in doubt and is logged as in doubt', async () => {
    const { options, results, events } = fakeAsking();
    expect(await askSources([liveAnswering(cutOff)], lookupsOf(1), options)).toEqual([]);
    expect(results).toMatchObject([
      { lookupId: 1n, source: 'live', answer: { kind: 'failed', reason: 'in_doubt' } },
    ]);
    expect(events.at(-1)).toBe('end key-1 as in_doubt');
  });

  test('is retried if the source is idempotent', async () => {
    const { options, events } = fakeAsking();
    expect(await askSources([liveAnswering(cutOff, 'live', true)], lookupsOf(1), options)).toHaveLength(1);
    expect(events.at(-1)).toBe('end key-1 as in_doubt');
  });

  test.each<[string, Error, readonly EarlierCall[]]>([
    ['the last try was interrupted', cutOff, []],
    ['an earlier call stayed without an answer', unavailable, [earlierCall('lost')]],
  ])(
    'ends the lookup in doubt after all tries, even if the source is idempotent: %s',
    async (_, error, earlier) => {
      const { options, results } = fakeAsking();
      const lookups = lookupsOf(1, { tries: sourceFailure.triesMax - 1, earlier });
      expect(await askSources([liveAnswering(error, 'live', true)], lookups, options)).toEqual([]);
      expect(results).toMatchObject([{ source: 'live', answer: { kind: 'failed', reason: 'in_doubt' } }]);
    },
  );

  test('is retried if the error occurred before it was sent', async () => {
    expect(await askSources([liveAnswering(unavailable)], lookupsOf(1), fakeAsking().options)).toHaveLength(
      1,
    );
  });
});

describe('an earlier call in the log', () => {
  const asked = async (earlier: EarlierCall['state'], idempotent = false) => {
    const { source, questions } = fakeLiveSource(() => ads, { idempotent });
    const { options, results } = fakeAsking();
    await askSources([source], lookupsOf(1, { earlier: [earlierCall(earlier)] }), options);
    return { questions, results };
  };

  test('is not repeated without an answer: the lookup ends in doubt', async () => {
    const { questions, results } = await asked('lost');
    expect(questions).toEqual([]);
    expect(results).toMatchObject([
      { lookupId: 1n, source: 'live', answer: { kind: 'failed', reason: 'in_doubt' } },
    ]);
  });

  test('is repeated with its request key without an answer if the source is idempotent', async () => {
    const { questions, results } = await asked('lost', true);
    expect(questions).toMatchObject([{ requestKey: 'key-1' }]);
    expect(results).toMatchObject([{ answer: { kind: 'found' } }]);
  });

  test.each(['none', 'no_match'] as const)('is not repeated if its answer was %s', async (kind) => {
    const { questions, results } = await asked(kind);
    expect(questions).toEqual([]);
    expect(results).toMatchObject([{ source: 'live', answer: { kind } }]);
  });

  test('does not count as an answer if it returned candidates only', async () => {
    const { questions, results } = await asked('candidates', true);
    expect([questions.length, results]).toMatchObject([1, [{ answer: { kind: 'found' } }]]);
    expect((await asked('candidates')).results).toMatchObject([{ answer: { reason: 'in_doubt' } }]);
  });

  test('is not repeated if its answer was none after candidates', async () => {
    const { source, questions } = fakeLiveSource(() => ads);
    const { options, results } = fakeAsking();
    const earlier = [earlierCall('candidates'), earlierCall('none')];
    await askSources([source], lookupsOf(1, { earlier }), options);
    expect([questions, results]).toMatchObject([[], [{ answer: { kind: 'none' } }]]);
  });

  test('does not count for another source', async () => {
    const { source, questions } = fakeLiveSource(() => ads);
    const earlier = [{ ...earlierCall('lost'), source: 'other' }];
    await askSources([source], lookupsOf(1, { earlier }), fakeAsking().options);
    expect(questions).toHaveLength(1);
  });
});

describe('an error that concerns every company', () => {
  const refused = (status: number) => new SourceRefused('no', { status });
  /** The call of the first lookup is recorded; the others meet the error. */
  const admittingFirst = (calls: AskOptions['calls'], error: Error): AskOptions['calls'] => ({
    ...calls,
    begin: (source, call) => (call.lookupId === 1n ? calls.begin(source, call) : Promise.reject(error)),
  });

  test.each([refused(401), refused(402), refused(403), refused(404), new Misconfigured('wrong')])(
    'is thrown and stops further calls: $code $status',
    async (error) => {
      const { source, questions } = fakeLiveSource(({ requestKey }) => {
        if (requestKey === 'key-2') throw error;
        return ads;
      });
      const { options, results } = fakeAsking({ gateFor: oneByOne() });
      await expect(askSources([source], lookupsOf(5), options)).rejects.toBe(error);
      expect(questions).toHaveLength(2);
      expect(results).toMatchObject([{ lookupId: 1n, answer: { kind: 'found' } }]);
    },
  );

  test.each([400, 422])(
    'does not include a rejection of one company with %i, which fails only that lookup',
    async (status) => {
      const { source } = fakeLiveSource(({ requestKey }) => {
        if (requestKey === 'key-2') throw refused(status);
        return none;
      });
      const { options, results } = fakeAsking();
      expect(await askSources([source], lookupsOf(3), options)).toEqual([]);
      const kinds = new Map(results.map(({ lookupId, answer }) => [lookupId, answer.kind]));
      expect([1n, 2n, 3n].map((lookupId) => kinds.get(lookupId))).toEqual(['none', 'failed', 'none']);
    },
  );

  test('includes a paused source', async () => {
    const paused = new SourcePaused({ kind: 'failing', reason: 'it gives no answer', delayMs: 60_000 });
    const { options, results } = fakeAsking();
    const calls = { ...options.calls, begin: () => Promise.reject(paused) };
    await expect(askSources([liveAnswering(ads)], lookupsOf(3), { ...options, calls })).rejects.toBe(paused);
    expect(results).toEqual([]);
  });

  test('is the rejection of a probe, although other calls first learned that a probe is running', async () => {
    const paused = new SourcePaused({ kind: 'failing', reason: 'the key is rejected', delayMs: 1000 });
    const { options } = fakeAsking();
    const { source } = fakeLiveSource(async () => {
      await afterOthers();
      throw refused(401);
    });
    const calls = admittingFirst(options.calls, paused);
    await expect(askSources([source], lookupsOf(3), { ...options, calls })).rejects.toMatchObject({
      status: 401,
    });
  });

  /** Slots that are due a moment after the others have learned what they wait for. */
  const laterSlot: RateLimiter['reserve'] = async () => ({
    comes: async (signal) => {
      await afterOthers();
      signal.throwIfAborted();
      return true;
    },
  });

  test.each([
    ['source is paused for others', new SourcePaused({ kind: 'failing', reason: 'probed', delayMs: 1000 })],
    ['batch waits for the source', new ShutdownError('The batch no longer runs.')],
  ])('does not withdraw a recorded call if the %s: it may be the probe', async (_, error) => {
    const { options, results } = fakeAsking();
    const { source } = fakeLiveSource(() => ads);
    const calls = admittingFirst(options.calls, error);
    const rateLimiter = { ...options.rateLimiter, reserve: laterSlot };
    const asked = askSources([source], lookupsOf(3), { ...options, calls, rateLimiter });
    await expect(asked).rejects.toBe(error);
    expect(results).toMatchObject([{ lookupId: 1n, answer: { kind: 'found' } }]);
  });

  test('withdraws a recorded call if it says that every call is rejected', async () => {
    const { options, events } = fakeAsking();
    const { source, questions } = fakeLiveSource(() => ads);
    const calls = admittingFirst(options.calls, refused(401));
    const rateLimiter = { ...options.rateLimiter, reserve: laterSlot };
    const asked = askSources([source], lookupsOf(3), { ...options, calls, rateLimiter });
    await expect(asked).rejects.toMatchObject({ status: 401 });
    expect([questions, events.at(-1)]).toEqual([[], 'end key-1 as not_sent']);
  });

  test.each([
    new DatabaseUnavailable('away'),
    new QueueUnavailable('away'),
    new LeaseLost('another worker has it'),
    new TypeError('a defect'),
  ])('includes internal errors, which are never an outcome of a lookup: $name', async (error) => {
    const { options, results } = fakeAsking();
    const rateLimiter = { ...options.rateLimiter, reserve: () => Promise.reject(error) };
    await expect(askSources([liveAnswering(ads)], lookupsOf(2), { ...options, rateLimiter })).rejects.toBe(
      error,
    );
    expect(results).toEqual([]);
  });
});

describe('a raw response of an earlier call', () => {
  const kept = { ...earlierCall('kept'), callId: 9n };

  test('is parsed again without a call', async () => {
    const { source, questions } = fakeLiveSource(() => none);
    const { options, results, replies, events } = fakeAsking();
    replies.set(9n, JSON.stringify(ads));
    await askSources([source], lookupsOf(1, { earlier: [kept] }), options);
    expect([questions, events]).toEqual([[], []]);
    expect(results).toMatchObject([{ source: 'live', answer: ads, asked: [{ reported: 'found' }] }]);
  });
});

describe('aborted work', () => {
  test.each([new Error('stopping'), new LeaseLost('another worker has it')])(
    'rejects with the reason, leaves running calls without an answer in the log and sends no more: $name',
    async (reason) => {
      const caller = new AbortController();
      const { source, questions } = fakeLiveSource(
        (_question, signal) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
            caller.abort(reason);
          }),
      );
      const { options, results, unanswered } = fakeAsking({
        lease: heldLease(caller.signal),
        gateFor: oneByOne(),
      });
      await expect(askSources([source], lookupsOf(3), options)).rejects.toBe(reason);
      expect(questions).toHaveLength(1);
      expect(unanswered()).toEqual(['key-1']);
      expect(results).toEqual([]);
    },
  );

  test('sends no call after its lease expired, even before the abort', async () => {
    const { source, questions } = fakeLiveSource(() => ads);
    const { options, events } = fakeAsking({
      lease: {
        ...heldLease(),
        assertHeld: () => {
          throw new LeaseLost('slept through it');
        },
      },
    });
    await expect(askSources([source], lookupsOf(1), options)).rejects.toThrow('slept through it');
    expect(questions).toEqual([]);
    expect(events.at(-1)).toBe('end key-1 as not_sent');
  });

  test('has reported all answers that arrived before', async () => {
    const caller = new AbortController();
    const { source } = fakeLiveSource(({ requestKey }) => {
      if (requestKey === 'key-2') caller.abort(new Error('stopping'));
      return none;
    });
    const { options, results } = fakeAsking({ lease: heldLease(caller.signal), gateFor: oneByOne() });
    await expect(askSources([source], lookupsOf(3), options)).rejects.toThrow('stopping');
    expect(results.map(({ lookupId, answer }) => [lookupId, answer.kind])).toEqual([
      [1n, 'none'],
      [2n, 'none'],
    ]);
  });

  test('sends nothing if it is aborted before it starts', async () => {
    const { source, questions } = fakeLiveSource(() => ads);
    const { options } = fakeAsking({ lease: heldLease(AbortSignal.abort(new Error('stopping'))) });
    await expect(askSources([source], lookupsOf(3), options)).rejects.toThrow('stopping');
    expect(questions).toEqual([]);
  });
});

/** One gate for all lookups, which admits one at a time. */
function oneByOne(): () => Gate {
  const gate = pLimit(1);
  return () => gate;
}
