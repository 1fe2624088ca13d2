import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';
import { describe, expect, test } from 'vitest';
import { SourceThrottled } from '../../../../../../src/core/errors.ts';
import { askSources } from '../../../../../../src/core/sources/ask-sources.ts';
import type { Share } from '../../../../../../src/core/sources/pace/fair-queue.ts';
import { createSourceLines, type LineEntry } from '../../../../../../src/core/sources/pace/source-line.ts';
import { noLimits } from '../../../../../support/api/no-limits.ts';
import { fakeAsking, fakeLiveSource, lookupsOf } from '../../../../../support/sources/fake-calls.ts';
import { calledSource } from '../../../../../support/stand-in/call-logs.ts';

const slowPace = { requestsPerSecond: 0.05, burst: 1 };

describe('the line of a source', () => {
  test('turns away lookups whose calls would come after the longest wait, and lets them wait for that source', async () => {
    const slow = fakeLiveSource(() => ({ kind: 'none', matchedBy: 'domain' }), {
      name: 'slow',
      limits: { ...noLimits, deadlineMs: 1000, pace: slowPace },
    });
    const other = fakeLiveSource(() => ({ kind: 'no_match' }), { name: 'other' });
    const gateOf = openLines();
    const { options, results } = fakeAsking({
      gateFor: (source, lookup) => gateOf({ source, lookup, share: shareOf(1), accountCallsMax: null }),
    });
    const deferred = await askSources([slow.source, other.source], lookupsOf(5), options);
    expect(results.map(({ lookupId }) => lookupId)).toEqual([1n, 2n, 3n]);
    expect(deferred).toMatchObject(
      [4n, 5n].map((lookupId) => ({ lookupId, error: { retry: { kind: 'after', delayMs: 20_000 } } })),
    );
    const keys = ['key-1', 'key-2', 'key-3'];
    expect(slow.questions.map(({ requestKey }) => requestKey)).toEqual(keys);
    expect(other.questions.map(({ requestKey }) => requestKey)).toEqual(keys);
  });

  test('has room again when a lookup ends, at least for one, and always for lookups that make no call', async () => {
    const gateOf = openLines();
    const pace = { requestsPerSecond: 0.001, burst: 1 };
    const enter = (entry: Partial<LineEntry>) =>
      gateOf(entryOf({ source: calledSource('slow', { pace }), ...entry }));
    const [ends, end] = later();
    const first = enter({})(() => ends);
    await expect(enter({})(async () => 'in')).rejects.toThrow(
      'Too many lookups wait for the next calls to slow.',
    );
    expect(await enter({ lookup: { repliesOnly: true } })(async () => 'in')).toBe('in');
    end();
    await first;
    expect(await enter({})(async () => 'in')).toBe('in');
  });

  test('is apart from those of other sources, and works on a number of lookups at a time', async () => {
    const gateOf = openLines({ lookupsMax: 2 });
    const [ends, end] = later();
    const started: string[] = [];
    const enter = (name: string) =>
      gateOf(entryOf({ source: calledSource(name) }))(async () => {
        started.push(name);
        await ends;
      });
    const all = ['a', 'a', 'a', 'b'].map(enter);
    await expect.poll(() => started.toSorted()).toEqual(['a', 'a', 'b']);
    end();
    await Promise.all(all);
    expect(started).toHaveLength(4);
  });
});

describe('accounts at a slow source', () => {
  test('share the line, whoever came first: what would be served last is turned away', async () => {
    const enter = enterSlowLine({ requestsPerSecond: 0.1 });
    const first = Array.from({ length: 8 }, (_, n) => enter(`first-${n}`, shareOf(1)));
    const heavy = Array.from({ length: 8 }, (_, n) => enter(`heavy-${n}`, shareOf(2, { weight: 3 })));
    // Six calls a minute: one lookup is started, and five wait for it.
    expect(await namesOf(first)).toEqual(['first-0', 'first-1']);
    expect(await namesOf(heavy)).toEqual(['heavy-0', 'heavy-1', 'heavy-2', 'heavy-3']);
  });

  test('are served by their weights, and batches of an account in turn', async () => {
    const enter = enterSlowLine({ requestsPerSecond: 0.2 });
    const served: string[] = [];
    const serve = (name: string, share: Share) => enter(name, share).then((one) => served.push(one ?? '-'));
    await Promise.all([
      ...['a1', 'a2', 'a3', 'a4'].map((name) => serve(name, shareOf(1, { batchId: 1 }))),
      ...['b1', 'b2'].map((name) => serve(name, shareOf(1, { batchId: 2 }))),
      ...['c1', 'c2', 'c3', 'c4', 'c5'].map((name) => serve(name, shareOf(2, { weight: 2 }))),
    ]);
    expect(served).toEqual(['a1', 'c1', 'c2', 'b1', 'c3', 'c4', 'a2', 'c5', 'b2', 'a3', 'a4']);
  });

  test('do not wait for calls that have begun', async () => {
    const gateOf = openLines();
    const source = calledSource('slow', { pace: { requestsPerSecond: 0.05, burst: 1 } });
    const begun: number[] = [];
    const [ends, end] = later();
    const calls = [1, 2, 3].map((n) =>
      gateOf(entryOf({ source }))(async (onCallBegins) => {
        begun.push(n);
        onCallBegins();
        onCallBegins();
        await ends;
      }),
    );
    expect(begun).toEqual([]);
    await expect.poll(() => begun).toEqual([1, 2, 3]);
    end();
    await Promise.all(calls);
  });
});

/** Puts lookups in the line of a source. Each resolves with its name when it is served, or with null when it is turned away. */
function enterSlowLine(pace: { readonly requestsPerSecond: number }) {
  const gateOf = openLines();
  const source = calledSource('slow', { pace: { ...pace, burst: 1 } });
  return (name: string, share: Share) =>
    gateOf(entryOf({ source, share }))(async () => {
      await setImmediate();
      return name;
    }).catch((error: unknown) => {
      expect(error).toBeInstanceOf(SourceThrottled);
      return null;
    });
}

async function namesOf(lookups: readonly Promise<string | null>[]) {
  return (await Promise.all(lookups)).filter((name) => name !== null);
}

test('lookups of an account beyond its calls in flight take no place in the line', async () => {
  const gateOf = openLines({ lookupsMax: 2 });
  const [ends, end] = later();
  const started: number[] = [];
  const enter = (accountId: number, accountCallsMax: number | null) =>
    gateOf(entryOf({ share: shareOf(accountId), accountCallsMax }))(async () => {
      started.push(accountId);
      await ends;
    });
  const all = [enter(1, 1), enter(1, 1), enter(1, 1), enter(2, null)];
  await expect.poll(() => started.toSorted()).toEqual([1, 2]);
  end();
  await Promise.all(all);
  expect(started.toSorted()).toEqual([1, 1, 1, 2]);
});

function openLines({ lookupsMax = 50 } = {}) {
  return createSourceLines({ lookupsMax, waitMsMax: 60_000, openGate: (places) => pLimit(places) });
}

function entryOf(changes: Partial<LineEntry>): LineEntry {
  return {
    source: calledSource('fast'),
    lookup: { repliesOnly: false },
    share: shareOf(1),
    accountCallsMax: null,
    ...changes,
  };
}

function shareOf(accountId: number, { weight = 1, batchId = accountId } = {}) {
  return { accountId, weight, batchId };
}

/** A promise, and the function that resolves it. */
function later(): readonly [Promise<void>, () => void] {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return [promise, () => resolve()];
}
