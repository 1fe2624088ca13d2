import { expect, test } from 'vitest';
import { patientEachTime, patientInAll, type Patience } from '../../../../../src/core/sources/wait-budget.ts';

test('whoever is patient each time has the whole time for every wait', async () => {
  const { patience, wait } = open(() => patientEachTime(60_000));
  for (let i = 0; i < 3; i += 1) await wait(59_000);
  expect(patience.leftMs()).toBe(60_000);
});

test('whoever is patient in all has what other waits have left, in whole seconds, and not less than nothing', async () => {
  const { patience, wait, pass } = open((nowMs) => patientInAll(10_000, nowMs));
  expect(patience.leftMs()).toBe(10_000);
  await wait(2500);
  expect(patience.leftMs()).toBe(7000);
  pass(60_000);
  expect(patience.leftMs()).toBe(7000);
  await expect(patience.waiting(() => (pass(4000), Promise.reject(new Error('too far'))))).rejects.toThrow();
  expect(patience.leftMs()).toBe(3000);
  await wait(9000);
  expect(patience.leftMs()).toBe(0);
});

function open(make: (nowMs: () => number) => Patience) {
  let atMs = 0;
  const pass = (ms: number) => void (atMs += ms);
  const patience = make(() => atMs);
  return { patience, pass, wait: (ms: number) => patience.waiting(async () => pass(ms)) };
}
