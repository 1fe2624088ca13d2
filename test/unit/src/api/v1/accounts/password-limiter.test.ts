import { expect, test } from 'vitest';
import { createPasswordLimiter } from '../../../../../../src/api/v1/accounts/password-limiter.ts';
import { Problem } from '../../../../../../src/api/http/problem.ts';

test('the password limiter runs two checks at a time, queues eight, rejects more at once and recovers afterwards', async () => {
  const limit = createPasswordLimiter();
  const ends: (() => void)[] = [];
  let atWork = 0;
  let most = 0;
  const work = async () => {
    atWork += 1;
    most = Math.max(most, atWork);
    await new Promise<void>((resolve) => ends.push(resolve));
    atWork -= 1;
    return 'done';
  };
  const calls = Array.from({ length: 12 }, () => limit(work).catch((error: unknown) => error));
  const refused = await Promise.all(calls.slice(10));
  expect(refused.map((error) => (error instanceof Problem ? error.code : error))).toEqual([
    'service_unavailable',
    'service_unavailable',
  ]);
  const served = Promise.all(calls.slice(0, 10));
  let isServed = false;
  void served.then(() => (isServed = true));
  while (!isServed) {
    ends.splice(0).forEach((end) => end());
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await served).toEqual(Array(10).fill('done'));
  expect(most).toBe(2);
  expect(await limit(() => Promise.resolve('again'))).toBe('again');
});
