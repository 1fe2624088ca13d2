import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';
import { describe, expect, test } from 'vitest';
import type { LimitsAtSources } from '../../../../../../src/core/accounts/account-limits.ts';
import { SourceThrottled } from '../../../../../../src/core/errors.ts';
import { askSources } from '../../../../../../src/core/sources/ask-sources.ts';
import type { SourceCallLog } from '../../../../../../src/core/sources/call-log.ts';
import type { Share } from '../../../../../../src/core/sources/pace/fair-queue.ts';
import {
  createSourceLines,
  LineFull,
  type LineEntry,
} from '../../../../../../src/core/sources/pace/source-line.ts';
import { noLimits } from '../../../../../support/api/no-limits.ts';
import { fakeAsking, fakeLiveSource, lookupsOf } from '../../../../../support/sources/fake-calls.ts';
import { calledSource } from '../../../../../support/stand-in/call-logs.ts';

describe('the line of a source', () => {
  test('turns away lookups whose calls would come too late, and lets them wait for that source', async () => {
    const slow = fakeLiveSource(() => ({ kind: 'none', matchedBy: 'domain' }), {
      name: 'slow',
      limits: { ...noLimits, deadlineMs: 1000, pace: { requestsPerSecond: 0.05, burst: 1 } },
    });
    const other = fakeLiveSource(() => ({ kind: 'no_match' }), { name: 'other' });
    const { options, results } = fakeAsking({ line: { lines: openLines(), share: shareOf(1) } });
    const deferred = await askSources([slow.source, other.source], lookupsOf(5), options);
    expect(results.map(({ lookupId }) => lookupId)).toEqual([1n, 2n, 3n]);
    expect(deferred).toMatchObject(
      [4n, 5n].map((lookupId) => ({ lookupId, error: { retry: { kind: 'after', delayMs: 20_000 } } })),
    );
    expect(other.questions.map(({ requestKey }) => requestKey)).toEqual(['key-1', 'key-2', 'key-3']);
  });

  test('has places for two waiting calls, however slow the source is, and again when a call has begun', async () => {
    const { enter } = slowLine({ requestsPerSecond: 0.001 });
    const calls = ['a', 'b', 'c', 'd'].map((name) => enter(name, shareOf(1)));
    expect(await namesOf(calls)).toEqual(['a', 'b', 'c']);
    expect(await enter('e', shareOf(1))).toBe('e');
  });

  test('is apart from those of other sources, and prepares calls for the next two seconds at a time', async () => {
    const { inTurn } = openLines();
    const [ends, end] = later();
    const started: string[] = [];
    const enter = (name: string) =>
      inTurn(
        entryOf({ source: calledSource(name, { pace: { requestsPerSecond: 1, burst: 1 } }) }),
        async () => {
          started.push(name);
          await ends;
          return name;
        },
      );
    const all = ['a', 'a', 'a', 'b'].map(enter);
    await expect.poll(() => started.toSorted()).toEqual(['a', 'a', 'b']);
    end();
    await Promise.all(all);
    expect(started).toHaveLength(4);
  });

  test('prepares no more calls without a rate than the process makes', async () => {
    const { inTurn } = openLines({ preparedMax: 2 });
    const [ends, end] = later();
    let started = 0;
    const all = [1, 2, 3].map(() =>
      inTurn(entryOf({}), async () => {
        started += 1;
        await ends;
        return started;
      }),
    );
    await setImmediate();
    expect(started).toBe(2);
    end();
    await Promise.all(all);
    expect(started).toBe(3);
  });

  test('ends what was begun first, and turns none of it away', async () => {
    const { enter, hold } = slowLine({ requestsPerSecond: 0.05 });
    const held = await hold();
    const first = ['a', 'b'].map((name) => enter(name, shareOf(1)));
    const further = ['c', 'd', 'e', 'f'].map((name) => enter(name, shareOf(1), { isFirst: false }));
    const served = orderOf([...first, ...further]);
    held();
    expect(await served).toEqual(['c', 'd', 'e', 'f', 'a', 'b']);
  });

  test('is left by calls whose work stops', async () => {
    const { enter, hold } = slowLine({ requestsPerSecond: 0.05 });
    const held = await hold();
    const work = new AbortController();
    const stopped = enter('stopped', shareOf(1), { signal: work.signal });
    const begun = enter('begun', shareOf(1), { isFirst: false, signal: work.signal });
    const next = enter('next', shareOf(2));
    work.abort(new Error('The batch is paused.'));
    await expect(stopped).rejects.toThrow('The batch is paused.');
    await expect(begun).rejects.toThrow('The batch is paused.');
    await expect(enter('late', shareOf(1), { signal: work.signal })).rejects.toThrow('The batch is paused.');
    held();
    expect(await next).toBe('next');
  });
});

describe('accounts at a slow source', () => {
  test('share the line, also those that come later: what would be served last is turned away', async () => {
    const { enter, hold } = slowLine({ requestsPerSecond: 0.1 });
    const held = await hold();
    const first = Array.from({ length: 8 }, (_, n) => enter(`first-${n}`, shareOf(1)));
    const heavy = Array.from({ length: 8 }, (_, n) => enter(`heavy-${n}`, shareOf(2, { weight: 3 })));
    held();
    // Six calls a minute: one is prepared, and five wait for it.
    expect(await namesOf(first)).toEqual(['first-0', 'first-1']);
    expect(await namesOf(heavy)).toEqual(['heavy-0', 'heavy-1', 'heavy-2']);
  });

  test('are served by their weights, and batches of an account in turn', async () => {
    const { enter, hold } = slowLine({ requestsPerSecond: 0.2 });
    const held = await hold();
    const served = orderOf([
      ...['a1', 'a2', 'a3'].map((name) => enter(name, shareOf(1, { batchId: 1 }))),
      ...['b1', 'b2'].map((name) => enter(name, shareOf(1, { batchId: 2 }))),
      ...['c1', 'c2', 'c3', 'c4', 'c5'].map((name) => enter(name, shareOf(2, { weight: 2 }))),
    ]);
    held();
    expect(await served).toEqual(['a1', 'c1', 'c2', 'b1', 'c3', 'c4', 'a2', 'c5', 'b2', 'a3']);
  });

  test('lose no turn for a call that could not begin', async () => {
    const { enter, hold, inTurn } = slowLine({ requestsPerSecond: 0.2 });
    const held = await hold();
    const without = inTurn(shareOf(1), async () => null);
    const served = orderOf([
      ...['a1', 'a2'].map((name) => enter(name, shareOf(1))),
      ...['b1', 'b2'].map((name) => enter(name, shareOf(2))),
    ]);
    held();
    expect(await without).toBeNull();
    expect(await served).toEqual(['a1', 'b1', 'a2', 'b2']);
  });
});

test('an account without room for a call waits outside of the line', async () => {
  const lines = openLines({ preparedMax: 1 });
  const { source } = fakeLiveSource(() => ({ kind: 'none', matchedBy: 'domain' }));
  const begun: number[] = [];
  const [isFull, meetsFull] = later();
  const ask = async (accountId: number, limits: LimitsAtSources) => {
    const { options } = fakeAsking({
      line: { lines, share: shareOf(accountId) },
      caller: { accountId, limits },
    });
    const calls: SourceCallLog = {
      ...options.calls,
      // Its earlier call ends after the other account has begun one.
      hasRoom: async () => {
        meetsFull();
        await setImmediate();
        return begun.length > 0;
      },
      begin: (...call) => {
        begun.push(accountId);
        return options.calls.begin(...call);
      },
    };
    await askSources([source], lookupsOf(1), { ...options, calls });
  };
  const limited = ask(1, new Map([[source.name, { concurrency: 1, callsPerDay: null }]]));
  await isFull;
  await ask(2, new Map());
  await limited;
  expect(begun).toEqual([2, 1]);
});

test('a call that the source throttles holds no place of its process while it is in line again', async () => {
  const throttled = [new SourceThrottled('slowly', { delayMs: 1000 })];
  const { source, questions } = fakeLiveSource(() => {
    for (const error of throttled.splice(0)) throw error;
    return { kind: 'none', matchedBy: 'domain' };
  });
  const { options, results } = fakeAsking({
    line: { lines: openLines({ preparedMax: 1 }), share: shareOf(1) },
    limit: pLimit(1),
  });
  await askSources([source], lookupsOf(3), options);
  expect(questions.map(({ requestKey }) => requestKey)).toEqual(['key-1', 'key-2', 'key-1', 'key-3']);
  expect(results).toHaveLength(3);
});

test('a lookup whose call could not begin goes ahead of no other', async () => {
  const lines = openLines({ preparedMax: 1 });
  const { source } = fakeLiveSource(() => ({ kind: 'none', matchedBy: 'domain' }));
  const tried: bigint[] = [];
  const { options } = fakeAsking({ line: { lines, share: shareOf(1) } });
  const { begin } = options.calls;
  const calls: SourceCallLog = {
    ...options.calls,
    // The bound of its cost has room again when the calls of the others have begun.
    begin: async (called, call) => {
      tried.push(call.lookupId);
      return call.lookupId === 1n && !tried.includes(3n) ? { kind: 'full' } : begin(called, call);
    },
  };
  await askSources([source], lookupsOf(3), { ...options, calls });
  expect(tried).toEqual([1n, 2n, 3n, 1n]);
});

test('calls of an account beyond its calls in flight wait apart', async () => {
  const { withRoom } = openLines();
  const [ends, end] = later();
  const started: number[] = [];
  const enter = (accountId: number, accountCallsMax: number | null) =>
    withRoom(entryOf({ share: shareOf(accountId), accountCallsMax }), async () => {
      started.push(accountId);
      await ends;
    });
  const all = [enter(1, 1), enter(1, 1), enter(1, 1), enter(2, null)];
  await expect.poll(() => started.toSorted()).toEqual([1, 2]);
  end();
  await Promise.all(all);
  expect(started.toSorted()).toEqual([1, 1, 1, 2]);
});

/** The line of a source that allows this rate. */
function slowLine(pace: { readonly requestsPerSecond: number }) {
  const lines = openLines();
  const source = calledSource('slow', { pace: { ...pace, burst: 1 } });
  const inTurn = (share: Share, begin: () => Promise<string | null>, changes: Partial<LineEntry> = {}) =>
    lines.inTurn(entryOf({ source, share, ...changes }), begin);
  return {
    inTurn,
    /** Resolves with the name when the call begins, or with null when it is turned away. */
    enter: (name: string, share: Share, changes: Partial<LineEntry> = {}) =>
      inTurn(
        share,
        async () => {
          await setImmediate();
          return name;
        },
        changes,
      ).catch((error: unknown) => {
        if (!(error instanceof LineFull)) throw error;
        expect(error).toBeInstanceOf(SourceThrottled);
        return null;
      }),
    /** Takes the place of the next call, of an account of its own, until the returned function is called. */
    hold: async () => {
      const [ends, end] = later();
      void inTurn(shareOf(99), async () => {
        await ends;
        return 'held';
      });
      await setImmediate();
      return end;
    },
  };
}

async function namesOf(calls: readonly Promise<string | null>[]) {
  return (await Promise.all(calls)).filter((name) => name !== null);
}

/** Resolves with the names of the calls in the order in which they begin. */
async function orderOf(calls: readonly Promise<string | null>[]) {
  const order: (string | null)[] = [];
  await Promise.all(calls.map((call) => call.then((name) => order.push(name))));
  return order;
}

function openLines({ preparedMax = 50 } = {}) {
  return createSourceLines({ preparedMax, lineMsMax: 60_000, openGate: (places) => pLimit(places) });
}

function entryOf(changes: Partial<LineEntry>): LineEntry {
  return {
    source: calledSource('fast'),
    share: shareOf(1),
    accountCallsMax: null,
    isFirst: true,
    signal: new AbortController().signal,
    ...changes,
  };
}

function shareOf(accountId: number, { weight = 1, batchId = accountId } = {}): Share {
  return { accountId, weight, batchId };
}

/** A promise, and the function that resolves it. */
function later(): readonly [Promise<void>, () => void] {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return [promise, () => resolve()];
}
