import { expect, test } from 'vitest';
import { createConcurrencyLimiter } from '../../../../../src/api/http/concurrency-limiter.ts';
import { Problem } from '../../../../../src/api/http/problem.ts';

const limits = { total: 4, perAccount: 2, waitingPerAccount: 0, what: 'queries' };

test('more of one account than may be under way are refused; another account has its turn', async () => {
  const turns = createConcurrencyLimiter(limits);
  const first = gate();
  const own = Array.from({ length: 2 }, () => turns.take(1, () => first.opened));
  await expect(turns.take(1, () => Promise.resolve())).rejects.toBeInstanceOf(Problem);
  expect(await turns.take(2, () => Promise.resolve('theirs'))).toBe('theirs');
  first.open();
  await Promise.all(own);
  expect(await turns.take(1, () => Promise.resolve('again'))).toBe('again');
});

test('who asks one after the other waits for turns that are kept, and is not refused', async () => {
  const turns = createConcurrencyLimiter(limits);
  const kept = gate();
  for (let n = 0; n < 2; n += 1)
    await turns.take(1, (keep) => {
      keep(kept.opened);
      return Promise.resolve();
    });
  let isAnswered = false;
  const third = turns.take(1, () => Promise.resolve('third')).finally(() => (isAnswered = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isAnswered).toBe(false);
  expect(await turns.take(2, () => Promise.resolve('theirs'))).toBe('theirs');
  kept.open();
  expect(await third).toBe('third');
});

test('what an account may have waiting waits, while another account has its turn', async () => {
  const turns = createConcurrencyLimiter({ ...limits, waitingPerAccount: 2 });
  const first = gate();
  const own = Array.from({ length: 4 }, (_, n) => turns.take(1, () => first.opened.then(() => n)));
  expect(() => turns.requireRoom(1)).toThrow(Problem);
  expect(await turns.take(2, () => Promise.resolve('theirs'))).toBe('theirs');
  first.open();
  expect(await Promise.all(own)).toEqual([0, 1, 2, 3]);
  expect(() => turns.requireRoom(1)).not.toThrow();
});

test('work that fails gives its turn back', async () => {
  const turns = createConcurrencyLimiter(limits);
  for (let n = 0; n < 5; n += 1)
    await expect(turns.take(1, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
});

function gate() {
  let open = () => undefined as void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}
