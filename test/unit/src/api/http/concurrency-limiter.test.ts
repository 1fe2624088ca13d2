import { expect, test } from 'vitest';
import { createConcurrencyLimiter } from '../../../../../src/api/http/concurrency-limiter.ts';
import { Problem } from '../../../../../src/api/http/problem.ts';

const limits = { total: 4, perAccount: 2, waitingPerAccount: 0, what: 'queries' };

test('the concurrency limiter rejects requests above the limit of an account and serves other accounts', async () => {
  const limiter = createConcurrencyLimiter(limits);
  const first = gate();
  const running = Array.from({ length: 2 }, () => limiter.take(1, () => first.opened));
  await expect(limiter.take(1, () => Promise.resolve())).rejects.toBeInstanceOf(Problem);
  expect(await limiter.take(2, () => Promise.resolve('theirs'))).toBe('theirs');
  first.open();
  await Promise.all(running);
  expect(await limiter.take(1, () => Promise.resolve('again'))).toBe('again');
});

test('the concurrency limiter lets sequential requests wait for kept slots instead of rejecting them', async () => {
  const limiter = createConcurrencyLimiter(limits);
  const kept = gate();
  for (let n = 0; n < 2; n += 1)
    await limiter.take(1, (keep) => {
      keep(kept.opened);
      return Promise.resolve();
    });
  let isAnswered = false;
  const third = limiter.take(1, () => Promise.resolve('third')).finally(() => (isAnswered = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isAnswered).toBe(false);
  expect(await limiter.take(2, () => Promise.resolve('theirs'))).toBe('theirs');
  kept.open();
  expect(await third).toBe('third');
});

test('the concurrency limiter queues requests up to the waiting limit of an account and serves other accounts', async () => {
  const limiter = createConcurrencyLimiter({ ...limits, waitingPerAccount: 2 });
  const first = gate();
  const running = Array.from({ length: 4 }, (_, n) => limiter.take(1, () => first.opened.then(() => n)));
  expect(() => limiter.requireRoom(1)).toThrow(Problem);
  expect(await limiter.take(2, () => Promise.resolve('theirs'))).toBe('theirs');
  first.open();
  expect(await Promise.all(running)).toEqual([0, 1, 2, 3]);
  expect(() => limiter.requireRoom(1)).not.toThrow();
});

test('the concurrency limiter releases the slot of failed work', async () => {
  const limiter = createConcurrencyLimiter(limits);
  for (let n = 0; n < 5; n += 1)
    await expect(limiter.take(1, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
});

function gate() {
  let open = () => undefined as void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}
