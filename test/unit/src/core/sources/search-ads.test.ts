import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { AdSource } from '../../../../../src/core/sources/ad-source.ts';
import { anySearch, type AdsAnswer } from '../../../../../src/core/ads/ads-answer.ts';
import { searchAds, type SearchAdsOptions } from '../../../../../src/core/sources/search-ads.ts';
import {
  DatabaseUnavailable,
  SourceRefused,
  SourceThrottled,
  SourceUnavailable,
  SourceUnreadable,
  type EnrichError,
} from '../../../../../src/core/errors.ts';
import type { LookupResult } from '../../../../../src/core/work/outcomes.ts';
import { fakeAsking, fakeLiveSource, heldLease, lookupsOf } from '../../../../support/sources/fake-calls.ts';
import { withoutGate } from '../../../../../src/core/sources/ask-sources.ts';
import { openLines } from '../../../../support/sources/open-lines.ts';

const none: AdsAnswer = { kind: 'none', matchedBy: 'domain' };
const cutOff = new SourceUnavailable('cut off', { inDoubt: true });
const tooFar = new SourceThrottled('no free slot', { delayMs: 90_000 });

describe('a failed search', () => {
  test.each<[string, readonly (AdsAnswer | EnrichError)[], string, string, readonly string[]]>([
    ['a temporary error', [none, tooFar], 'source_throttled', 'b', ['none', 'source_throttled']],
    [
      'a rejection that concerns every company',
      [new SourceUnreadable('odd'), new SourceRefused('no', { status: 401 })],
      'source_refused',
      'b',
      ['source_unreadable', 'source_refused'],
    ],
    [
      'a call in doubt before a temporary error',
      [cutOff, tooFar],
      'in_doubt',
      'a',
      ['in_doubt', 'source_throttled'],
    ],
    [
      'a call in doubt before a rejection',
      [cutOff, new SourceRefused('no', { status: 401 })],
      'in_doubt',
      'a',
      ['in_doubt', 'source_refused'],
    ],
  ])(
    'is stored with its most severe error and all answers: %s',
    async (_, says, reason, source, reported) => {
      const { search, commits } = openSearch(says.map((say, i) => answering(say, ['a', 'b'][i] ?? '')));
      await expect(search()).rejects.toMatchObject({ code: reason });
      expect(commits).toMatchObject([{ source, answer: { kind: 'failed', reason } }]);
      expect(commits[0]?.asked?.map((each) => [each.source, each.reported])).toEqual([
        ['a', reported[0]],
        ['b', reported[1]],
      ]);
    },
  );

  test('is in doubt after an interrupted call even if the source is idempotent, because the next search is a new request', async () => {
    const { search, commits } = openSearch([answering(cutOff, 'a', true)]);
    await expect(search()).rejects.toMatchObject({ code: 'in_doubt' });
    expect(commits).toMatchObject([{ source: 'a', answer: { kind: 'failed', reason: 'in_doubt' } }]);
  });
});

describe('the mapping of a company', () => {
  test('is read beside the hold', async () => {
    const steps: string[] = [];
    const { search } = openSearch([answering(none, 'a')], ({ requests }) => ({
      requests: {
        ...requests,
        open: async (request, leaseMs) => {
          await nextTurn();
          steps.push('held');
          return requests.open(request, leaseMs);
        },
      },
      mappings: {
        find: async () => {
          steps.push('read');
          return new Map();
        },
      },
    }));
    await expect(search()).rejects.toThrow('There is no answer.');
    expect(steps).toEqual(['read', 'held']);
  });

  test('that cannot be read fails the lookup, free of charge', async () => {
    const away = new DatabaseUnavailable('away');
    const { search, commits } = openSearch([answering(none, 'a')], ({ requests }) => ({
      requests: {
        ...requests,
        open: (request, leaseMs) => nextTurn().then(() => requests.open(request, leaseMs)),
      },
      mappings: { find: () => Promise.reject(away) },
    }));
    await expect(search()).rejects.toBe(away);
    expect(commits).toMatchObject([{ answer: { kind: 'failed', reason: away.code } }]);
  });
});

function answering(say: AdsAnswer | EnrichError, name: string, idempotent = false): AdSource {
  const reply = () => {
    if (say instanceof Error) throw say;
    return say;
  };
  return fakeLiveSource(reply, { name, bucket: `${name}:bucket`, idempotent }).source;
}

function openSearch(
  sources: readonly AdSource[],
  changes: (parts: SearchAdsOptions) => Partial<SearchAdsOptions> = () => ({}),
) {
  const { options: asking } = fakeAsking();
  const commits: LookupResult[] = [];
  // Every pause exceeds the wait budget.
  const rateLimiter = { ...asking.rateLimiter, pauseUntil: () => Promise.reject(tooFar) };
  const [lookup] = lookupsOf(1);
  if (lookup === undefined) throw new Error('There is no lookup.');
  const request = {
    ...{ accountId: 1, company: lookup.company, sources: ['a', 'b'], search: anySearch },
    ...{ via: [], requestId: 'req_1' },
  };
  const claim = {
    ...{ chunkId: 1, generation: 1, token: 't', accountId: 1, batchId: null, priceMicro: 0n, attempt: 1 },
    ...{ operation: 'ads_search' as const, sources: request.sources, search: anySearch, lookups: [lookup] },
  };
  const options: SearchAdsOptions = {
    requests: { open: async () => claim, answer: () => Promise.reject(new Error('There is no answer.')) },
    outcomes: { commit: async (_claim, results) => void commits.push(...results) },
    leases: {
      keep: () => ({ ...heldLease(), releaseClaim: (release) => release(), release: () => undefined }),
      stopAccepting: () => undefined,
      abortAll: () => undefined,
      close: async () => undefined,
    },
    mappings: { find: async () => new Map() },
    callerLimits: async () => ({ weight: 1, atSources: new Map() }),
    lines: openLines,
    reparses: withoutGate,
    sourcesFor: async () => sources,
    asking: { ...asking, rateLimiter },
    leaseMs: 1000,
  };
  return { search: () => searchAds({ ...options, ...changes(options) }, request), commits };
}
