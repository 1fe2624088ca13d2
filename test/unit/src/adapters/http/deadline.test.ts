import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openDeadline } from '../../../../../src/adapters/http/deadline.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a deadline aborts its signal when the time is up, and counts as passed', () => {
  const deadline = openDeadline(new AbortController().signal, 100);
  vi.advanceTimersByTime(99);
  expect(deadline.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(deadline.signal.aborted).toBe(true);
  expect(deadline.passed()).toBe(true);
});

test('a deadline takes over an earlier abort of the caller with its reason, and does not count as passed', () => {
  const caller = new AbortController();
  const deadline = openDeadline(caller.signal, 100);
  caller.abort('stop');
  vi.advanceTimersByTime(100);
  expect(deadline.signal.reason).toBe('stop');
  expect(deadline.passed()).toBe(false);
});

test('a closed deadline leaves no timer and no listener', () => {
  const caller = new AbortController();
  for (let n = 0; n < 100; n += 1) openDeadline(caller.signal, 100).close();
  expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});
