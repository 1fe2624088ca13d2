import { expect, test } from 'vitest';
import { createFairTurns } from '../../../../../src/core/work/fair-turns.ts';

test('a key that always waits gets its turns one after the other', () => {
  const turns = createFairTurns<string>();
  expect([turns.take('a', 10), turns.take('a', 10), turns.take('b', 5), turns.take('a', 10)]).toEqual([
    0, 10, 0, 20,
  ]);
});

test('a key that joins, or comes back, begins at the present and has no credit for its absence', () => {
  const turns = createFairTurns<string>();
  turns.take('back', 10);
  for (let n = 0; n < 10; n += 1) turns.advance(turns.take('a', 10));
  expect([turns.now(), turns.take('new', 10), turns.take('back', 10)]).toEqual([90, 90, 90]);
  turns.advance(20);
  expect(turns.now()).toBe(90);
});

test('an unused turn is given back, and an unknown end is recalled once', () => {
  const turns = createFairTurns<string>();
  turns.take('a', 30);
  turns.shorten('a', 20);
  turns.recall('a', 500);
  turns.recall('b', 40);
  expect([turns.next('a'), turns.next('b')]).toEqual([10, 40]);
});

test('turns that are given back are the next ones, unless they are over', () => {
  const turns = createFairTurns<string>();
  turns.take('a', 300);
  turns.release('a', 100);
  turns.release('a', 200);
  turns.release('b', 50);
  expect([turns.next('a'), turns.next('b')]).toEqual([100, 50]);
  turns.advance(80);
  expect([turns.next('a'), turns.next('b')]).toEqual([100, 80]);
});

test('a rebase keeps the distances', () => {
  const turns = createFairTurns<string>();
  turns.take('a', 150);
  turns.advance(100);
  turns.take('b', 70);
  turns.rebase(100);
  expect([turns.now(), turns.next('a'), turns.next('b')]).toEqual([0, 50, 70]);
});
