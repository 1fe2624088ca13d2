import { expect, test } from 'vitest';
import { createTurns } from '../../../../src/api/query-turns.ts';
import { Problem } from '../../../../src/api/problem.ts';

const limits = { total: 4, perAccount: 2 };

test('more of one account than may be under way are refused; another account has its turn', async () => {
  const takeTurn = createTurns(limits);
  const first = gate();
  const turns = Array.from({ length: 2 }, () => takeTurn(1, () => first.opened));
  await expect(takeTurn(1, () => Promise.resolve())).rejects.toBeInstanceOf(Problem);
  expect(await takeTurn(2, () => Promise.resolve('theirs'))).toBe('theirs');
  first.open();
  await Promise.all(turns);
  expect(await takeTurn(1, () => Promise.resolve('again'))).toBe('again');
});

test('who asks one after the other waits for turns that are kept, and is not refused', async () => {
  const takeTurn = createTurns(limits);
  const kept = gate();
  for (let n = 0; n < 2; n += 1)
    await takeTurn(1, (keep) => {
      keep(kept.opened);
      return Promise.resolve();
    });
  let isAnswered = false;
  const third = takeTurn(1, () => Promise.resolve('third')).finally(() => (isAnswered = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isAnswered).toBe(false);
  expect(await takeTurn(2, () => Promise.resolve('theirs'))).toBe('theirs');
  kept.open();
  expect(await third).toBe('third');
});

test('work that fails gives its turn back', async () => {
  const takeTurn = createTurns(limits);
  for (let n = 0; n < 5; n += 1)
    await expect(takeTurn(1, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
});

function gate() {
  let open = () => undefined as void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}
