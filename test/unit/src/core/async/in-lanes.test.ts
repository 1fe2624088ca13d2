import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inLanes } from '../../../../../src/core/async/in-lanes.ts';

const { signal } = new AbortController();

test('works on a number of items at a time, in their order', async () => {
  const begun: number[] = [];
  let running = 0;
  let runningMax = 0;
  await inLanes([1, 2, 3, 4, 5], { lanesMax: 2, signal }, async (item) => {
    begun.push(item);
    running += 1;
    runningMax = Math.max(runningMax, running);
    await delay(1);
    running -= 1;
  });
  expect([begun, runningMax]).toEqual([[1, 2, 3, 4, 5], 2]);
});

test('after an error, ends the other work and begins no more, before it throws the error', async () => {
  const ended: number[] = [];
  const work = async (item: number, inner: AbortSignal) => {
    if (item === 1) throw new Error('The part is damaged.');
    await new Promise((resolve) => inner.addEventListener('abort', resolve));
    await delay(5);
    ended.push(item);
    inner.throwIfAborted();
  };
  await expect(inLanes([1, 2, 3, 4], { lanesMax: 3, signal }, work)).rejects.toThrow('The part is damaged.');
  expect(ended).toEqual([2, 3]);
});

test('begins nothing more when the caller gives up', async () => {
  const caller = new AbortController();
  const begun: number[] = [];
  const working = inLanes([1, 2, 3], { lanesMax: 1, signal: caller.signal }, async (item) => {
    begun.push(item);
    caller.abort(new Error('Stopped.'));
  });
  await expect(working).rejects.toThrow('Stopped.');
  expect(begun).toEqual([1]);
});
