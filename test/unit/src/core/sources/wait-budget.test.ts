import { expect, test } from 'vitest';
import {
  waitEachTime,
  totalWaitBudget,
  type WaitBudget,
} from '../../../../../src/core/sources/wait-budget.ts';

test('a wait budget per wait has its full time for every wait', async () => {
  const { waitBudget, wait } = open(() => waitEachTime(60_000));
  for (let i = 0; i < 3; i += 1) await wait(59_000);
  expect(waitBudget.leftMs()).toBe(60_000);
});

test('a total wait budget has the time that other waits left, in whole seconds and at least zero', async () => {
  const { waitBudget, wait, pass } = open((nowMs) => totalWaitBudget(10_000, nowMs));
  expect(waitBudget.leftMs()).toBe(10_000);
  await wait(2500);
  expect(waitBudget.leftMs()).toBe(7000);
  pass(60_000);
  expect(waitBudget.leftMs()).toBe(7000);
  await expect(
    waitBudget.waiting(() => (pass(4000), Promise.reject(new Error('too far')))),
  ).rejects.toThrow();
  expect(waitBudget.leftMs()).toBe(3000);
  await wait(9000);
  expect(waitBudget.leftMs()).toBe(0);
});

function open(make: (nowMs: () => number) => WaitBudget) {
  let atMs = 0;
  const pass = (ms: number) => void (atMs += ms);
  const waitBudget = make(() => atMs);
  return { waitBudget, pass, wait: (ms: number) => waitBudget.waiting(async () => pass(ms)) };
}
