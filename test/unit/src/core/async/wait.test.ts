import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sleep } from '../../../../../src/core/async/wait.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const noStop = () => new AbortController().signal;

test('a sleep ends after its duration and not before', async () => {
  let isOver = false;
  const sleeping = sleep(1000, noStop()).then(() => (isOver = true));
  await vi.advanceTimersByTimeAsync(999);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await sleeping;
});

test('an aborted sleep rejects with the reason and leaves no timer', async () => {
  const caller = new AbortController();
  const reason = new Error('stopping');
  const sleeping = sleep(1000, caller.signal);
  caller.abort(reason);
  await expect(sleeping).rejects.toBe(reason);
  expect(vi.getTimerCount()).toBe(0);
});

test('a sleep with an aborted signal does not start', async () => {
  await expect(sleep(1000, AbortSignal.abort('a text, no error'))).rejects.toThrow('Stopped.');
  expect(vi.getTimerCount()).toBe(0);
});

test('a finished sleep removes its abort listener', async () => {
  const { signal } = new AbortController();
  const removed = vi.spyOn(signal, 'removeEventListener');
  const sleeping = sleep(10, signal);
  await vi.advanceTimersByTimeAsync(10);
  await sleeping;
  expect(removed).toHaveBeenCalledWith('abort', expect.any(Function));
});
