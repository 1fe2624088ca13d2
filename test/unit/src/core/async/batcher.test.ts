import { describe, expect, test } from 'vitest';
import { createBatcher } from '../../../../../src/core/async/batcher.ts';

describe('a coalescer', () => {
  test('takes items of the same turn together, and answers each with its own result', async () => {
    const { add, groups, answerAll } = openCoalescer(10);
    const answers = [add(1), add(2), add(3)];
    await answerAll();
    expect(await Promise.all(answers)).toEqual(['1!', '2!', '3!']);
    expect(groups).toEqual([[1, 2, 3]]);
  });

  test('lets what arrives during a call wait for the next one, which takes it all', async () => {
    const { add, groups, answer, called } = openCoalescer(10);
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

  test('takes no more than its most items in one call, in the order in which they came', async () => {
    const { add, groups, answerAll } = openCoalescer(2);
    const answers = [1, 2, 3, 4, 5].map(add);
    await answerAll();
    expect(await Promise.all(answers)).toEqual(['1!', '2!', '3!', '4!', '5!']);
    expect(groups).toEqual([[1, 2], [3, 4], [5]]);
  });

  test('fails the items of a call that fails, and goes on with the next', async () => {
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

  test('fails an item that the call did not answer, and only that', async () => {
    const add = createBatcher<number, string>(10, async (items) => items.slice(1).map(String));
    const ends = await Promise.allSettled([add(1), add(2)]);
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  test('works again after it had nothing to do', async () => {
    const add = createBatcher<number, number>(10, async (items) => items);
    expect(await add(1)).toBe(1);
    expect(await add(2)).toBe(2);
  });
});

/** A coalescer whose calls wait until they are told to answer. */
function openCoalescer(itemsMax: number) {
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
