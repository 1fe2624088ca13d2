import { expect, test } from 'vitest';
import {
  waitEachTime,
  totalWaitBudget,
  type WaitBudget,
} from '../../../../../src/core/sources/wait-budget.ts';

test('a wait budget per wait has its full time for every wait', async () => {
  const { waitBudget, wait } = open(() => waitEachTime(60_000));
  for (let i = 0; i < 3; i += 1) await wait(59_000);
  expect(waitBudget.leftMs(null)).toBe(60_000);
});

test('a total wait budget has the time that other waits left, in whole seconds and at least zero', async () => {
  const { waitBudget, wait, pass } = open((nowMs) => totalWaitBudget(10_000, nowMs));
  expect(waitBudget.leftMs(null)).toBe(10_000);
  await wait(2500);
  expect(waitBudget.leftMs(null)).toBe(7000);
  pass(60_000);
  expect(waitBudget.leftMs(null)).toBe(7000);
  await expect(
    waitBudget.waiting(() => (pass(4000), Promise.reject(new Error('too far')))),
  ).rejects.toThrow();
  expect(waitBudget.leftMs(null)).toBe(3000);
  await wait(9000);
  expect(waitBudget.leftMs(null)).toBe(0);
});

test.each([
  [0.001, 55_000],
  [0.05, 22_000],
  [0.11, 11_000],
  [0.2, 10_000],
])(
  'a total wait budget at %d calls a second has time for the first slot beside batches, up to 55 s',
  async (requestsPerSecond, waitMs) => {
    const { waitBudget, wait } = open((nowMs) => totalWaitBudget(10_000, nowMs));
    const pace = { requestsPerSecond, burst: 1 };
    expect(waitBudget.leftMs(pace)).toBe(waitMs);
    await wait(900);
    expect(waitBudget.leftMs(pace)).toBe(waitMs - 1000);
    expect(waitBudget.leftMs(null)).toBe(9000);
  },
);

function open(make: (nowMs: () => number) => WaitBudget) {
  let atMs = 0;
  const pass = (ms: number) => void (atMs += ms);
  const waitBudget = make(() => atMs);
  return { waitBudget, pass, wait: (ms: number) => waitBudget.waiting(async () => pass(ms)) };
}
