import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createBatcher, endOfTurn } from '../../../../../src/core/async/batcher.ts';

describe('a batcher', () => {
  test('combines items of the same event loop turn and returns each its own result', async () => {
    const { add, groups, answerAll } = openBatcher(10);
    const answers = [add(1), add(2), add(3)];
    await answerAll();
    expect(await Promise.all(answers)).toEqual(['1!', '2!', '3!']);
    expect(groups).toEqual([[1, 2, 3]]);
  });

  test('queues items that arrive during a call for the next call', async () => {
    const { add, groups, answer, called } = openBatcher(10);
    const first = add(1);
    await called(1);
    const rest = [add(2), add(3)];
    expect(groups).toEqual([[1]]);
    answer();
    await first;
    await called(2);
    answer();
    expect(await Promise.all(rest)).toEqual(['2!', '3!']);
    expect(groups).toEqual([[1], [2, 3]]);
  });

  test('passes at most its maximum of items to one call, in order of arrival', async () => {
    const { add, groups, answerAll } = openBatcher(2);
    const answers = [1, 2, 3, 4, 5].map(add);
    await answerAll();
    expect(await Promise.all(answers)).toEqual(['1!', '2!', '3!', '4!', '5!']);
    expect(groups).toEqual([[1, 2], [3, 4], [5]]);
  });

  test('rejects the items of a failed call and continues with the next', async () => {
    let calls = 0;
    const add = createBatcher<number, string>(1, async ([item]) => {
      calls += 1;
      if (calls === 1) throw new Error('away');
      return [`${item}!`];
    });
    const ends = await Promise.allSettled([add(1), add(2)]);
    expect(ends).toMatchObject([
      { status: 'rejected', reason: { message: 'away' } },
      { status: 'fulfilled', value: '2!' },
    ]);
  });

  test('rejects only the item that has no result', async () => {
    const add = createBatcher<number, string>(10, async (items) => items.slice(1).map(String));
    const ends = await Promise.allSettled([add(1), add(2)]);
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  test('lets at most one more call start before the end of the last', async () => {
    const ends: (() => void)[] = [];
    const groups: (readonly number[])[] = [];
    const add = createBatcher<number, number>(1, async (items, letNext) => {
      groups.push(items);
      letNext();
      await new Promise<void>((resolve) => ends.push(resolve));
      return items;
    });
    const answers = [1, 2, 3].map(add);
    await nextTurn();
    expect(groups).toEqual([[1], [2]]);
    ends[0]?.();
    await answers[0];
    await nextTurn();
    expect(groups).toEqual([[1], [2], [3]]);
    for (const end of ends) end();
    expect(await Promise.all(answers)).toEqual([1, 2, 3]);
  });

  test('combines the items of all callbacks of a turn of the event loop when it starts at its end', async () => {
    const groups: (readonly number[])[] = [];
    const add = createBatcher<number, number>(
      10,
      async (items) => {
        groups.push(items);
        return items;
      },
      endOfTurn,
    );
    const first = add(1);
    await new Promise((resolve) => process.nextTick(resolve));
    await Promise.all([first, add(2)]);
    expect(groups).toEqual([[1, 2]]);
  });

  test('runs at most two calls at a time, also when it had nothing left to start', async () => {
    const ends: (() => void)[] = [];
    const add = createBatcher<number, number>(1, async (items, letNext) => {
      letNext();
      await new Promise<void>((resolve) => ends.push(resolve));
      return items;
    });
    const first = add(1);
    await nextTurn();
    const rest = [add(2), add(3)];
    await nextTurn();
    expect(ends).toHaveLength(2);
    ends[0]?.();
    await first;
    await nextTurn();
    expect(ends).toHaveLength(3);
    ends.forEach((end) => end());
    expect(await Promise.all(rest)).toEqual([2, 3]);
  });

  test('works again after it was idle', async () => {
    const add = createBatcher<number, number>(10, async (items) => items);
    expect(await add(1)).toBe(1);
    expect(await add(2)).toBe(2);
  });
});

/** Opens a batcher whose calls wait until `answer` is called. */
function openBatcher(itemsMax: number) {
  const groups: (readonly number[])[] = [];
  const waiting: (() => void)[] = [];
  let noteCall: () => void = () => undefined;
  const add = createBatcher<number, string>(itemsMax, (items) => {
    groups.push(items);
    const answered = new Promise<readonly string[]>((resolve) =>
      waiting.push(() => resolve(items.map((item) => `${item}!`))),
    );
    noteCall();
    return answered;
  });
  const called = (times: number) =>
    new Promise<void>((resolve) => {
      noteCall = () => {
        if (groups.length >= times) resolve();
      };
      noteCall();
    });
  const answer = () => waiting.shift()?.();
  async function answerAll(): Promise<void> {
    for (let turn = 0; turn < 20; turn += 1) {
      answer();
      await Promise.resolve();
      await Promise.resolve();
    }
  }
  return { add, groups, called, answer, answerAll };
}
