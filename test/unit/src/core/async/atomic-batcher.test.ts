import { describe, expect, test } from 'vitest';
import { createAtomicBatcher } from '../../../../../src/core/async/atomic-batcher.ts';

describe('an atomic batcher', () => {
  test('makes one call for the items of the same event loop turn', async () => {
    const { add, calls } = openBatcher(() => undefined);
    expect(await Promise.all([1, 2, 3].map(add))).toEqual(['1!', '2!', '3!']);
    expect(calls).toEqual([[1, 2, 3]]);
  });

  test('repeats the items of a failed call one by one, and rejects only those that fail alone', async () => {
    const { add, calls } = openBatcher((items) => {
      if (items.includes(2)) throw new Error('2 is bad');
    });
    const ends = await Promise.allSettled([1, 2, 3].map(add));
    expect(ends).toMatchObject([
      { status: 'fulfilled', value: '1!' },
      { status: 'rejected', reason: { message: '2 is bad' } },
      { status: 'fulfilled', value: '3!' },
    ]);
    expect(calls).toEqual([[1, 2, 3], [1], [2], [3]]);
  });

  test('repeats a failed item only for the sake of others', async () => {
    const { add, calls } = openBatcher(() => {
      throw new Error('bad');
    });
    await expect(add(1)).rejects.toThrow('bad');
    expect(calls).toEqual([[1]]);
  });

  test('rejects all items at once with an error that concerns all', async () => {
    const { add, calls } = openBatcher(() => {
      throw new Error('away');
    });
    const ends = await Promise.allSettled([1, 2].map(add));
    expect(ends).toMatchObject([{ reason: { message: 'away' } }, { reason: { message: 'away' } }]);
    expect(calls).toEqual([[1, 2]]);
  });
});

function openBatcher(check: (items: readonly number[]) => void) {
  const calls: (readonly number[])[] = [];
  const add = createAtomicBatcher<number, string>({
    itemsMax: 10,
    work: async (items) => {
      calls.push(items);
      check(items);
      return items.map((item) => `${item}!`);
    },
    concernsAll: (error) => error instanceof Error && error.message === 'away',
  });
  return { add, calls };
}
