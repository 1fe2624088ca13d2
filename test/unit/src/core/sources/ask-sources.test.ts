import { describe, expect, test } from 'vitest';
import type { BatchedAdSource } from '../../../../../src/core/sources/ad-source.ts';
import { anySearch, type AdsAnswer } from '../../../../../src/core/ads/ads-answer.ts';
import { askSources, type AskOptions } from '../../../../../src/core/sources/ask-sources.ts';
import type { Ad } from '../../../../../src/core/ads/ad.ts';
import type { RateLimiter, Reservation } from '../../../../../src/core/sources/rate-limiter.ts';
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

/** A pacer whose turn is due once, and too far away after the source asked to wait. */
const impatient: RateLimiter = {
  reserve: () => Promise.resolve(dueReservation),
  pauseUntil: () => Promise.reject(throttled),
  learn: () => Promise.resolve(),
};

/** A call about company 1 that was made before. */
const earlierCall = (state: EarlierCall['state']): EarlierCall => ({
  callId: 1n,
  source: 'live',
  about: 'ads of d:company-1.com',
  state,
});

const liveSaying = (answer: AdsAnswer | Error, name = 'live', idempotent = false) =>
  fakeLiveSource(
    () => {
      if (answer instanceof Error) throw answer;
      return answer;
    },
    { name, idempotent, bucket: `${name}:bucket` },
  ).source;
const localSaying = (answer: AdsAnswer, name = 'snapshot') =>
  fakeLocalSource({ 'company-1.com': answer }, name).source;

describe('of several sources', () => {
  const failed = (reason: string) => ({ kind: 'failed', reason });

  test.each([
    ['found', [ads, none], 'a', ads],
    ['found after none', [none, ads], 'b', ads],
    ['found after a failure', [unreadable, ads], 'b', ads],
    ['a failure, whoever else found nothing', [unreadable, none], 'a', failed('source_unreadable')],
    ['a failure, whoever found nothing before', [none, unreadable], 'b', failed('source_unreadable')],
    ['none, where another could not tell the company', [noMatch, none], 'b', none],
    ['none, where another cannot tell the company later', [none, noMatch], 'a', none],
    ['the first none of two', [none, { kind: 'none', matchedBy: 'name' }], 'a', none],
    ['no match, where none could tell', [noMatch, noMatch], 'a', noMatch],
  ] as const)('the answer is %s', async (_, says, source, answer) => {
    const { options, results } = fakeAsking();
    const sources = says.map((say, i) => liveSaying(say, ['a', 'b'][i]));
    expect(await askSources(sources, lookupsOf(1), options)).toEqual([]);
    expect(results).toMatchObject([{ lookupId: 1n, source, answer }]);
  });

  test('a later one is asked only about companies whose ads are not found yet', async () => {
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

  test('none is asked once every company is found', async () => {
    const live = fakeLiveSource(() => ads);
    const { options } = fakeAsking();
    await askSources([localSaying(stored), live.source], lookupsOf(1), options);
    expect(live.questions).toEqual([]);
  });

  test('trouble that passes is tried again although another source failed for good', async () => {
    for (const says of [
      [unavailable, unreadable],
      [unreadable, unavailable],
    ]) {
      const { options, results } = fakeAsking();
      const sources = says.map((say, i) => liveSaying(say, ['a', 'b'][i]));
      expect(await askSources(sources, lookupsOf(1), options)).toEqual([
        { lookupId: 1n, error: unavailable },
      ]);
      expect(results).toEqual([]);
    }
  });

  test('a call in doubt ends the lookup, so that nothing of it is sent again, unless another found the ads', async () => {
    for (const says of [
      [cutOff, unreadable],
      [cutOff, none],
    ]) {
      const { options, results } = fakeAsking({ rateLimiter: impatient });
      const sources = says.map((say, i) => liveSaying(say, ['a', 'b'][i]));
      expect(await askSources(sources, lookupsOf(1), options)).toEqual([]);
      expect(results).toMatchObject([{ answer: { kind: 'failed', reason: 'in_doubt' } }]);
    }
    const { options, results } = fakeAsking();
    await askSources([liveSaying(cutOff, 'a'), liveSaying(ads, 'b')], lookupsOf(1), options);
    expect(results).toMatchObject([{ source: 'b', answer: { kind: 'found' } }]);
  });

  test('trouble that passes is tried again although another call is in doubt, as long as there are tries', async () => {
    for (const [says, tries, deferrals] of [
      [[cutOff, throttled], sourceFailure.triesMax, 1],
      [[throttled, cutOff], sourceFailure.triesMax, 1],
      [[cutOff, unavailable], 0, 1],
      [[cutOff, unavailable], sourceFailure.triesMax - 1, 0],
    ] as const) {
      const { options, results } = fakeAsking({ rateLimiter: impatient });
      const sources = says.map((say, i) => liveSaying(say, ['a', 'b'][i]));
      expect(await askSources(sources, lookupsOf(1, { tries }), options)).toHaveLength(deferrals);
      expect(results.map(({ answer }) => answer)).toEqual(
        deferrals === 1 ? [] : [{ kind: 'failed', reason: 'in_doubt' }],
      );
    }
  });

  test('one that has said before that it has none is not asked again, and what it said counts', async () => {
    const { source, questions } = fakeLiveSource(() => ads, { name: 'a' });
    for (const [word, reported] of [
      [
        { source: 'a', reported: 'none', matchedBy: 'name' },
        { kind: 'none', matchedBy: 'name' },
      ],
      [{ source: 'a', reported: 'no_match' }, { kind: 'no_match' }],
    ] as const) {
      for (const order of [
        [source, liveSaying(noMatch, 'b')],
        [liveSaying(noMatch, 'b'), source],
      ]) {
        const { options, results } = fakeAsking();
        await askSources(order, lookupsOf(1, { reported: [word] }), options);
        expect(results).toMatchObject([{ answer: reported }]);
        expect(results[0]?.asked).toEqual([
          { source: 'a', reported: word.reported },
          { source: 'b', reported: 'no_match' },
        ]);
      }
    }
    expect(questions).toEqual([]);
  });

  test('what they said of a company that stays open is told, so that it can be kept', async () => {
    const { options } = fakeAsking({ rateLimiter: impatient });
    const reported = new Map<bigint, unknown>();
    const onPartialAnswer: AskOptions['onPartialAnswer'] = (view) =>
      void reported.set(view.lookup.lookupId, view.reported);
    await askSources([liveSaying(none, 'a'), liveSaying(throttled, 'b')], lookupsOf(2), {
      ...options,
      onPartialAnswer,
    });
    const word = { source: 'a', reported: 'none', matchedBy: 'domain' };
    expect([...reported]).toEqual([
      [1n, [word]],
      [2n, [word]],
    ]);
  });

  test('the bound of ads is not spent on those that will be left out', async () => {
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
    const own: Ad = { ...unknown, advertiserId: 'AR-2', creativeId: 'cr-2', advertiserName: 'Company 1' };
    const agency: Ad = { ...unknown, advertiserId: 'AR-1', creativeId: 'cr-1', advertiserName: 'Agency' };
    const { source, questions } = fakeLiveSource(({ adsMax }) => ({
      kind: 'found',
      matchedBy: 'domain',
      ads: [agency, own].slice(0, adsMax ?? 2),
    }));
    await askSources([source], lookupsOf(1), options);
    expect(questions).toMatchObject([{ adsMax: null, ownOnly: true }]);
    expect(results).toMatchObject([{ answer: { kind: 'found', ads: [own] } }]);
  });

  test('without any source there is no answer to report, which is a defect', async () => {
    await expect(askSources([], lookupsOf(1), fakeAsking().options)).rejects.toThrow('put to no source');
  });

  test('a local one that answers too few companies is a defect', async () => {
    const source = { ...localSaying(none), findAds: () => Promise.resolve([]) };
    await expect(askSources([source], lookupsOf(1), fakeAsking().options)).rejects.toThrow('fewer companies');
  });
});

describe('what each source said', () => {
  test('stands in the result, in the order in which they were asked, trouble with its message', async () => {
    const { options, results } = fakeAsking();
    const sources = [localSaying(noMatch), liveSaying(unavailable, 'a'), liveSaying(ads, 'b')];
    await askSources(sources, lookupsOf(1), options);
    expect(results[0]?.asked).toEqual([
      { source: 'snapshot', reported: 'no_match' },
      { source: 'a', reported: 'source_unavailable', message: 'down' },
      { source: 'b', reported: 'found' },
    ]);
  });

  test('is nothing where a local one has nothing to say: the next one is asked as if it had not been', async () => {
    const { source } = fakeLocalSource({ 'company-1.com': null }, 'store');
    const { options, results } = fakeAsking();
    await askSources([source, liveSaying(none)], lookupsOf(1), options);
    const asked = [{ source: 'live', reported: 'none' }];
    expect(results).toEqual([{ lookupId: 1n, source: 'live', answer: none, asked }]);
  });

  test('counts as none where the operator wants a failure outvoted, but not by who could not tell', async () => {
    for (const [other, kind] of [
      [none, 'none'],
      [noMatch, 'failed'],
    ] as const) {
      const { options, results } = fakeAsking({ noneOutvotesFailed: true });
      await askSources([liveSaying(unreadable, 'a'), liveSaying(other, 'b')], lookupsOf(1), options);
      expect(results).toMatchObject([{ answer: { kind }, asked: [{ reported: 'source_unreadable' }, {}] }]);
    }
  });
});

test('of what a source gives no more is passed on than is stored of an ad', async () => {
  const { options, results } = fakeAsking();
  const markup = {
    content: `<img src="https://a.example/${'a="'.repeat(3_000_000)}">`,
    height: null,
    width: null,
  };
  const given = found(['cr-1']);
  if (given.kind !== 'found') throw new Error(given.kind);
  const huge: AdsAnswer = { ...given, ads: given.ads.map((ad) => ({ ...ad, variants: [markup] })) };
  await askSources([liveSaying(huge)], lookupsOf(1), options);
  expect(results).toMatchObject([{ answer: { kind: 'found', ads: [{ creativeId: 'cr-1', variants: [] }] } }]);
});

describe('every source is told', () => {
  test('the company, what the operator says of it, and how the search is bounded', async () => {
    const mapping = [{ advertiserId: 'AR-1', role: 'allow' as const }];
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
    const reported = { region: 'DE', adsMax: 5, ownOnly: false, via: ['another installation'] };
    expect(questions).toEqual([
      { company: one?.company, requestKey: 'key-1', mapping: [], ...reported },
      { company: two?.company, requestKey: 'key-2', mapping, ...reported },
    ]);
    expect(keys).toEqual([['d:company-1.com', 'd:company-2.com']]);
  });
});

describe('a source that answers a whole chunk in one call', () => {
  const batchedSaying = (answers: readonly AdsAnswer[] | Error) => {
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

  test('is asked once, on one record, about those that are open', async () => {
    const { options, results, events } = fakeAsking();
    const { batched, asked } = batchedSaying([ads, none]);
    const local = fakeLocalSource({ 'company-1.com': stored });
    await askSources([local.source, batched], lookupsOf(3), options);
    expect([asked, events.filter((event) => event.startsWith('begin'))]).toEqual([[2], ['begin key-2']]);
    expect(results.map(({ lookupId, answer }) => [lookupId, answer.kind])).toEqual([
      [1n, 'stored'],
      [2n, 'found'],
      [3n, 'none'],
    ]);
  });

  test('that fails has failed for all of them', async () => {
    const { options, results } = fakeAsking();
    expect(await askSources([batchedSaying(unavailable).batched], lookupsOf(2), options)).toMatchObject([
      { lookupId: 1n, error: unavailable },
      { lookupId: 2n, error: unavailable },
    ]);
    expect(results).toEqual([]);
  });

  test('that answers too few companies is a defect', async () => {
    const asking = askSources([batchedSaying([none]).batched], lookupsOf(2), fakeAsking().options);
    await expect(asking).rejects.toThrow('fewer companies');
  });
});

describe('a call', () => {
  test('is on record before it is sent, and its answer and charge afterwards', async () => {
    const { options, events } = fakeAsking();
    const { source } = fakeLiveSource(() => {
      events.push('sent');
      return none;
    });
    await askSources([source], lookupsOf(1), options);
    expect(events).toEqual(['turn at live:bucket', 'begin key-1', 'sent', 'end key-1 as none']);
  });

  test('whose record cannot be written is not sent', async () => {
    const { source, questions } = fakeLiveSource(() => ads);
    const { options } = fakeAsking();
    const begin = () => Promise.reject(new DatabaseUnavailable('away'));
    const asking = askSources([source], lookupsOf(1), { ...options, calls: { ...options.calls, begin } });
    await expect(asking).rejects.toMatchObject({ code: 'database_unavailable' });
    expect(questions).toEqual([]);
  });

  test('whose answer cannot be put on record is no trouble of the company', async () => {
    const { options, results } = fakeAsking();
    const end = () => Promise.reject(new DatabaseUnavailable('away'));
    const asking = askSources([liveSaying(ads)], lookupsOf(1), {
      ...options,
      calls: { ...options.calls, end },
    });
    await expect(asking).rejects.toMatchObject({ code: 'database_unavailable' });
    expect(results).toEqual([]);
  });

  test('that has missed its turn by the time it is on record takes another one, and is on record once', async () => {
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

  test('that is called off between its record and its turn is on record as not sent', async () => {
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

  test('is never made above the limit of the process', async () => {
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

describe('trouble that passes', () => {
  test.each([unavailable, throttled])('is deferred: $code', async (error) => {
    const { options, results } = fakeAsking({ rateLimiter: impatient });
    expect(await askSources([liveSaying(error)], lookupsOf(2), options)).toHaveLength(2);
    expect(results).toEqual([]);
  });

  test('ends the lookup as failed with its last try', async () => {
    const before = await ask(sourceFailure.triesMax - 2, unavailable);
    const last = await ask(sourceFailure.triesMax - 1, unavailable);
    expect([before.deferred.length, last.deferred.length]).toEqual([1, 0]);
    const answer = { kind: 'failed', reason: 'source_unavailable' };
    const asked = [{ source: 'live', reported: 'source_unavailable', message: 'down' }];
    expect(last.results).toEqual([{ lookupId: 1n, source: 'live', answer, asked }]);
  });

  test('never ends a lookup when it is the source that asks to wait: that uses up no try', async () => {
    const { deferred, results } = await ask(100, throttled);
    expect([deferred.length, results.length]).toEqual([1, 0]);
  });

  async function ask(tries: number, error: Error) {
    const { options, results } = fakeAsking({ rateLimiter: impatient });
    const deferred = await askSources([liveSaying(error)], lookupsOf(1, { tries }), options);
    return { deferred, results };
  }
});

describe('a source that asks to wait', () => {
  test('moves its bucket for as long as it says, and is asked again under the same key', async () => {
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

  test('without saying how long moves it by a second, then twice as long each time, up to a minute', async () => {
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

  test('for longer than anybody waits gives the lookup back with that time', async () => {
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

describe('a call that was cut off after it was sent', () => {
  test('ends the lookup in doubt, and stands on record as such', async () => {
    const { options, results, events } = fakeAsking();
    expect(await askSources([liveSaying(cutOff)], lookupsOf(1), options)).toEqual([]);
    expect(results).toMatchObject([
      { lookupId: 1n, source: 'live', answer: { kind: 'failed', reason: 'in_doubt' } },
    ]);
    expect(events.at(-1)).toBe('end key-1 as in_doubt');
  });

  test('is tried again where the source knows a repeat by its key', async () => {
    const { options, events } = fakeAsking();
    expect(await askSources([liveSaying(cutOff, 'live', true)], lookupsOf(1), options)).toHaveLength(1);
    expect(events.at(-1)).toBe('end key-1 as in_doubt');
  });

  test.each<[string, Error, readonly EarlierCall[]]>([
    ['by its last try', cutOff, []],
    ['by an earlier one that no repeat has settled', unavailable, [earlierCall('lost')]],
  ])(
    'ends the lookup in doubt after its tries, also where the source knows a repeat: %s',
    async (_, error, earlier) => {
      const { options, results } = fakeAsking();
      const lookups = lookupsOf(1, { tries: sourceFailure.triesMax - 1, earlier });
      expect(await askSources([liveSaying(error, 'live', true)], lookups, options)).toEqual([]);
      expect(results).toMatchObject([{ source: 'live', answer: { kind: 'failed', reason: 'in_doubt' } }]);
    },
  );

  test('before it was sent is tried again, whatever the source knows', async () => {
    expect(await askSources([liveSaying(unavailable)], lookupsOf(1), fakeAsking().options)).toHaveLength(1);
  });
});

describe('an earlier call on record', () => {
  const asked = async (earlier: EarlierCall['state'], idempotent = false) => {
    const { source, questions } = fakeLiveSource(() => ads, { idempotent });
    const { options, results } = fakeAsking();
    await askSources([source], lookupsOf(1, { earlier: [earlierCall(earlier)] }), options);
    return { questions, results };
  };

  test('without an answer is not repeated: the lookup ends in doubt', async () => {
    const { questions, results } = await asked('lost');
    expect(questions).toEqual([]);
    expect(results).toMatchObject([
      { lookupId: 1n, source: 'live', answer: { kind: 'failed', reason: 'in_doubt' } },
    ]);
  });

  test('without an answer is repeated under its key where the source knows a repeat', async () => {
    const { questions, results } = await asked('lost', true);
    expect(questions).toMatchObject([{ requestKey: 'key-1' }]);
    expect(results).toMatchObject([{ answer: { kind: 'found' } }]);
  });

  test.each(['none', 'no_match'] as const)(
    'with the answer %s stands, and is not asked for again',
    async (kind) => {
      const { questions, results } = await asked(kind);
      expect(questions).toEqual([]);
      expect(results).toMatchObject([{ source: 'live', answer: { kind } }]);
    },
  );

  test('that led nowhere yet is no answer: it is asked for again where that is free, and is in doubt elsewhere', async () => {
    const { questions, results } = await asked('candidates', true);
    expect([questions.length, results]).toMatchObject([1, [{ answer: { kind: 'found' } }]]);
    expect((await asked('candidates')).results).toMatchObject([{ answer: { reason: 'in_doubt' } }]);
  });

  test('that says there are none stands after others that led to it', async () => {
    const { source, questions } = fakeLiveSource(() => ads);
    const { options, results } = fakeAsking();
    const earlier = [earlierCall('candidates'), earlierCall('none')];
    await askSources([source], lookupsOf(1, { earlier }), options);
    expect([questions, results]).toMatchObject([[], [{ answer: { kind: 'none' } }]]);
  });

  test('to another source says nothing about this one', async () => {
    const { source, questions } = fakeLiveSource(() => ads);
    const earlier = [{ ...earlierCall('lost'), source: 'other' }];
    await askSources([source], lookupsOf(1, { earlier }), fakeAsking().options);
    expect(questions).toHaveLength(1);
  });
});

describe('what concerns every company', () => {
  const refused = (status: number) => new SourceRefused('no', { status });

  test.each([refused(401), refused(402), refused(403), refused(404), new Misconfigured('wrong')])(
    'is thrown, and nothing more is asked: $code $status',
    async (error) => {
      const { source, questions } = fakeLiveSource(({ requestKey }) => {
        if (requestKey === 'key-2') throw error;
        return ads;
      });
      const { options, results } = fakeAsking({ limit: oneByOne() });
      await expect(askSources([source], lookupsOf(5), options)).rejects.toBe(error);
      expect(questions).toHaveLength(2);
      expect(results).toMatchObject([{ lookupId: 1n, answer: { kind: 'found' } }]);
    },
  );

  test.each([400, 422])(
    'is not a refusal of one company with %i: that one fails, the others go on',
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

  test('is thrown as well when the source is not to be asked at the moment', async () => {
    const paused = new SourcePaused({ kind: 'failing', reason: 'it gives no answer', delayMs: 60_000 });
    const { options, results } = fakeAsking();
    const calls = { ...options.calls, begin: () => Promise.reject(paused) };
    await expect(askSources([liveSaying(ads)], lookupsOf(3), { ...options, calls })).rejects.toBe(paused);
    expect(results).toEqual([]);
  });

  test.each([
    new DatabaseUnavailable('away'),
    new QueueUnavailable('away'),
    new LeaseLost('another worker has it'),
    new TypeError('a defect'),
  ])('is trouble of our own, which never becomes the outcome of a lookup: $name', async (error) => {
    const { options, results } = fakeAsking();
    const rateLimiter = { ...options.rateLimiter, reserve: () => Promise.reject(error) };
    await expect(askSources([liveSaying(ads)], lookupsOf(2), { ...options, rateLimiter })).rejects.toBe(
      error,
    );
    expect(results).toEqual([]);
  });
});

describe('an earlier reply that was kept', () => {
  const kept = { ...earlierCall('kept'), callId: 9n };

  test('is read again, and nobody is asked', async () => {
    const { source, questions } = fakeLiveSource(() => none);
    const { options, results, replies, events } = fakeAsking();
    replies.set(9n, JSON.stringify(ads));
    await askSources([source], lookupsOf(1, { earlier: [kept] }), options);
    expect([questions, events]).toEqual([[], []]);
    expect(results).toMatchObject([{ source: 'live', answer: ads, asked: [{ reported: 'found' }] }]);
  });
});

describe('work that is called off', () => {
  test.each([new Error('stopping'), new LeaseLost('another worker has it')])(
    'ends with the reason, leaves calls under way without an answer on record, and sends no more: $name',
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
        limit: oneByOne(),
      });
      await expect(askSources([source], lookupsOf(3), options)).rejects.toBe(reason);
      expect(questions).toHaveLength(1);
      expect(unanswered()).toEqual(['key-1']);
      expect(results).toEqual([]);
    },
  );

  test('is not sent once its lease has lapsed, though nothing has said so yet', async () => {
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

  test('has reported what came back by then, answers without ads included', async () => {
    const caller = new AbortController();
    const { source } = fakeLiveSource(({ requestKey }) => {
      if (requestKey === 'key-2') caller.abort(new Error('stopping'));
      return none;
    });
    const { options, results } = fakeAsking({ lease: heldLease(caller.signal), limit: oneByOne() });
    await expect(askSources([source], lookupsOf(3), options)).rejects.toThrow('stopping');
    expect(results.map(({ lookupId, answer }) => [lookupId, answer.kind])).toEqual([
      [1n, 'none'],
      [2n, 'none'],
    ]);
  });

  test('before it begins sends nothing', async () => {
    const { source, questions } = fakeLiveSource(() => ads);
    const { options } = fakeAsking({ lease: heldLease(AbortSignal.abort(new Error('stopping'))) });
    await expect(askSources([source], lookupsOf(3), options)).rejects.toThrow('stopping');
    expect(questions).toEqual([]);
  });
});

/** Room for one call at a time. */
function oneByOne(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
}
