import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { onAbort } from '../../../../../src/core/async/race-abort.ts';

test('everybody who still listens is called, once', () => {
  const controller = new AbortController();
  const called: number[] = [];
  const stops = [0, 1, 2, 3].map((n) => onAbort(controller.signal, () => called.push(n)));
  stops[1]?.();
  controller.abort();
  controller.abort();
  expect(called).toEqual([0, 2, 3]);
});

test('who listens twice is called twice, and stops once at a time', () => {
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

test('the signal has one listener while anybody listens, and none when nobody does', () => {
  const { signal } = new AbortController();
  for (let round = 0; round < 2; round += 1) {
    const stops = Array.from({ length: 100 }, () => onAbort(signal, () => undefined));
    expect(getEventListeners(signal, 'abort').length).toBe(1);
    for (const stop of stops) stop();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  }
});

test('who stops twice does not stop those who came in between', () => {
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

test('signals are kept apart', () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const called: string[] = [];
  onAbort(one.signal, () => called.push('one'));
  onAbort(other.signal, () => called.push('other'));
  one.abort();
  expect(called).toEqual(['one']);
});
