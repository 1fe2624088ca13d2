import { expect, test } from 'vitest';
import {
  waitEachTime,
  totalWaitBudget,
  type WaitBudget,
} from '../../../../../src/core/sources/wait-budget.ts';

test('whoever is patient each time has the whole time for every wait', async () => {
  const { waitBudget, wait } = open(() => waitEachTime(60_000));
  for (let i = 0; i < 3; i += 1) await wait(59_000);
  expect(waitBudget.leftMs()).toBe(60_000);
});

test('whoever is patient in all has what other waits have left, in whole seconds, and not less than nothing', async () => {
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
