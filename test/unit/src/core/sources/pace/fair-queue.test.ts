import { expect, test } from 'vitest';
import { createFairQueue, type Share } from '../../../../../../src/core/sources/pace/fair-queue.ts';

test('serves accounts by their weights, then their batches in turn, then in the order of arrival', () => {
  const queue = createFairQueue<string>();
  for (const name of ['a1', 'a2', 'a3', 'a4']) queue.add(shareOf(1, { batchId: 1 }), name);
  for (const name of ['b1', 'b2']) queue.add(shareOf(1, { batchId: 2 }), name);
  for (const name of ['c1', 'c2', 'c3', 'c4', 'c5']) queue.add(shareOf(2, { weight: 2 }), name);
  expect(takeAll(queue)).toEqual(['a1', 'c1', 'c2', 'b1', 'c3', 'c4', 'a2', 'c5', 'b2', 'a3', 'a4']);
  expect([queue.size(), queue.takeFirst(), queue.dropLast()]).toEqual([0, null, null]);
});

test('remembers what an account was served while none of its items wait', () => {
  const queue = createFairQueue<string>();
  queue.add(shareOf(1), 'a1');
  queue.add(shareOf(2), 'b1');
  queue.add(shareOf(2), 'b2');
  expect([queue.takeFirst(), queue.takeFirst()]).toEqual(['a1', 'b1']);
  queue.add(shareOf(1), 'a2');
  queue.add(shareOf(3), 'c1');
  expect(takeAll(queue)).toEqual(['c1', 'b2', 'a2']);
});

test('does not give credit for the time in which an account had nothing in the queue', () => {
  const queue = createFairQueue<string>();
  for (const name of ['a1', 'a2', 'a3', 'a4']) queue.add(shareOf(1), name);
  expect([queue.takeFirst(), queue.takeFirst()]).toEqual(['a1', 'a2']);
  for (const name of ['b1', 'b2']) queue.add(shareOf(2), name);
  expect(takeAll(queue)).toEqual(['b1', 'a3', 'b2', 'a4']);
});

test('drops what it would serve last: of the account and the batch with the most, the newest', () => {
  const queue = createFairQueue<string>();
  for (const name of ['a1', 'a2', 'a3']) queue.add(shareOf(1, { batchId: 1 }), name);
  queue.add(shareOf(1, { batchId: 2 }), 'b1');
  for (const name of ['c1', 'c2', 'c3']) queue.add(shareOf(2, { weight: 3 }), name);
  const dropped = Array.from({ length: 6 }, () => queue.dropLast());
  expect(dropped).toEqual(['a3', 'a2', 'b1', 'c3', 'c2', 'c1']);
  expect(takeAll(queue)).toEqual(['a1']);
});

test('counts each item with the weight with which it came', () => {
  const queue = createFairQueue<string>();
  for (const name of ['a1', 'a2', 'a3', 'a4']) queue.add(shareOf(1), name);
  queue.add(shareOf(2), 'b1');
  for (const name of ['b2', 'b3', 'b4']) queue.add(shareOf(2, { weight: 2 }), name);
  expect(takeAll(queue)).toEqual(['a1', 'b1', 'a2', 'b2', 'b3', 'a3', 'b4', 'a4']);
});

test('serves a batch that waits although others with one item each keep coming', () => {
  const queue = createFairQueue<string>();
  for (const name of ['old-1', 'old-2', 'old-3']) queue.add(shareOf(1, { batchId: 1 }), name);
  const served = Array.from({ length: 6 }, (_, n) => {
    queue.add(shareOf(1, { batchId: 100 + n }), `new-${n}`);
    return queue.takeFirst();
  });
  expect(served).toEqual(['old-1', 'new-0', 'old-2', 'new-1', 'new-2', 'old-3']);
});

test('removes what no longer waits, and takes back what came to nothing', () => {
  const queue = createFairQueue<string>();
  const remove = queue.add(shareOf(1), 'a0');
  for (const name of ['a1', 'a2']) queue.add(shareOf(1), name);
  for (const name of ['b1', 'b2']) queue.add(shareOf(2), name);
  remove();
  remove();
  queue.charge(shareOf(1));
  queue.refund(shareOf(1));
  expect(queue.size()).toBe(4);
  queue.charge(shareOf(1));
  expect(takeAll(queue)).toEqual(['b1', 'a1', 'b2', 'a2']);
});

function shareOf(accountId: number, { weight = 1, batchId = accountId * 10 } = {}): Share {
  return { accountId, weight, batchId };
}

function takeAll(queue: ReturnType<typeof createFairQueue<string>>): readonly string[] {
  return Array.from({ length: queue.size() }, () => queue.takeFirst() ?? '-');
}
