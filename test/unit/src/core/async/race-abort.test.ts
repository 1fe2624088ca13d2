import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { onAbort } from '../../../../../src/core/async/race-abort.ts';

test('an abort calls every remaining listener once', () => {
  const controller = new AbortController();
  const called: number[] = [];
  const stops = [0, 1, 2, 3].map((n) => onAbort(controller.signal, () => called.push(n)));
  stops[1]?.();
  controller.abort();
  controller.abort();
  expect(called).toEqual([0, 2, 3]);
});

test('a listener that is added twice is called twice and removed one at a time', () => {
  const controller = new AbortController();
  let calls = 0;
  const listener = () => (calls += 1);
  const stop = onAbort(controller.signal, listener);
  onAbort(controller.signal, listener);
  stop();
  stop();
  onAbort(controller.signal, listener);
  controller.abort();
  expect(calls).toBe(2);
});

test('the signal has one listener as long as any is added, and none after all are removed', () => {
  const { signal } = new AbortController();
  for (let round = 0; round < 2; round += 1) {
    const stops = Array.from({ length: 100 }, () => onAbort(signal, () => undefined));
    expect(getEventListeners(signal, 'abort').length).toBe(1);
    for (const stop of stops) stop();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  }
});

test('removing a listener twice does not remove listeners that were added in between', () => {
  const controller = new AbortController();
  let calls = 0;
  const stop = onAbort(controller.signal, () => undefined);
  stop();
  onAbort(controller.signal, () => (calls += 1));
  stop();
  onAbort(controller.signal, () => (calls += 1));
  expect(getEventListeners(controller.signal, 'abort').length).toBe(1);
  controller.abort();
  expect(calls).toBe(2);
});

test('an abort calls only the listeners of its own signal', () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const called: string[] = [];
  onAbort(one.signal, () => called.push('one'));
  onAbort(other.signal, () => called.push('other'));
  one.abort();
  expect(called).toEqual(['one']);
});
