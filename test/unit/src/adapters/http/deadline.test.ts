import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openDeadline } from '../../../../../src/adapters/http/deadline.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a deadline aborts when its time is up, and says so', () => {
  const deadline = openDeadline(new AbortController().signal, 100);
  vi.advanceTimersByTime(99);
  expect(deadline.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(deadline.signal.aborted).toBe(true);
  expect(deadline.passed()).toBe(true);
});

test('a caller who aborts first aborts with the own reason, and the deadline has not passed', () => {
  const caller = new AbortController();
  const deadline = openDeadline(caller.signal, 100);
  caller.abort('stop');
  vi.advanceTimersByTime(100);
  expect(deadline.signal.reason).toBe('stop');
  expect(deadline.passed()).toBe(false);
});

test('a closed deadline leaves neither timer nor listener behind', () => {
  const caller = new AbortController();
  for (let n = 0; n < 100; n += 1) openDeadline(caller.signal, 100).close();
  expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});
