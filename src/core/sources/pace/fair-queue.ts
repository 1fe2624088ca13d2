import { createFairTurns, type FairTurns } from '../../work/fair-turns.ts';
import { firstOf } from '../../work/first-of.ts';

/** For whom an item waits: accounts share by their weights, and the batches of an account equally. */
export interface Share {
  readonly accountId: number;
  readonly weight: number;
  /** Null for a single request. */
  readonly batchId: number | null;
}

/**
 * A queue that is served by weighted fair queuing, by account first, then by batch; the items of a batch in the order of their arrival. What
 * an account was served counts also while none of its items wait, until the others have caught up.
 */
export interface FairQueue<Item> {
  readonly size: () => number;
  readonly add: (share: Share, item: Item) => void;
  /** Removes the next item, which counts as served. Null when the queue is empty. */
  readonly takeFirst: () => Item | null;
  /** Removes the item that would be served last. Null when the queue is empty. */
  readonly dropLast: () => Item | null;
}

interface Waiting<Item> {
  readonly arrival: number;
  readonly item: Item;
}

/** Items of an account by batch, in the order of their arrival, and the turns of the batches. */
interface AccountQueue<Item> {
  weight: number;
  readonly turns: FairTurns<number | null>;
  readonly batches: Map<number | null, Waiting<Item>[]>;
}

export function createFairQueue<Item>(): FairQueue<Item> {
  const turns = createFairTurns<number>();
  const accounts = new Map<number, AccountQueue<Item>>();
  let arrivals = 0;
  let size = 0;

  function queueOf({ accountId, weight }: Share): AccountQueue<Item> {
    const queue = accounts.get(accountId) ?? { weight, turns: createFairTurns(), batches: new Map() };
    accounts.set(accountId, queue);
    queue.weight = weight;
    return queue;
  }

  function remove(
    { batches }: AccountQueue<Item>,
    batchId: number | null,
    from: (items: Waiting<Item>[]) => Waiting<Item> | undefined,
  ): Item | null {
    const items = batches.get(batchId) ?? [];
    const removed = from(items);
    if (items.length === 0) batches.delete(batchId);
    if (removed === undefined) return null;
    size -= 1;
    return removed.item;
  }

  return {
    size: () => size,
    add: (share, item) => {
      const { batches } = queueOf(share);
      const items = batches.get(share.batchId) ?? [];
      batches.set(share.batchId, items);
      items.push({ arrival: arrivals++, item });
      size += 1;
    },
    takeFirst: () => {
      const account = firstOf(waitingIn(accounts), [
        ([id]) => turns.next(id),
        ([, queue]) => oldestOf(queue),
      ]);
      if (account === null) return null;
      const [accountId, queue] = account;
      const batch = firstOf(
        [...queue.batches],
        [([id]) => queue.turns.next(id), ([, items]) => arrivalOf(items[0])],
      );
      if (batch === null) return null;
      const [batchId] = batch;
      turns.advance(turns.take(accountId, 1 / queue.weight));
      queue.turns.advance(queue.turns.take(batchId, 1));
      return remove(queue, batchId, (items) => items.shift());
    },
    dropLast: () => {
      const account = firstOf(waitingIn(accounts), [
        ([id, queue]) => -(turns.next(id) + (countOf(queue) - 1) / queue.weight),
        ([, queue]) => -newestOf(queue),
      ]);
      if (account === null) return null;
      const [, queue] = account;
      const batch = firstOf(
        [...queue.batches],
        [
          ([id, items]) => -(queue.turns.next(id) + items.length - 1),
          ([, items]) => -arrivalOf(items.at(-1)),
        ],
      );
      return batch === null ? null : remove(queue, batch[0], (items) => items.pop());
    },
  };
}

function waitingIn<Item>(accounts: ReadonlyMap<number, AccountQueue<Item>>) {
  return [...accounts].filter(([, { batches }]) => batches.size > 0);
}

function countOf<Item>({ batches }: AccountQueue<Item>): number {
  return [...batches.values()].reduce((sum, items) => sum + items.length, 0);
}

function oldestOf<Item>({ batches }: AccountQueue<Item>): number {
  return Math.min(...[...batches.values()].map((items) => arrivalOf(items[0])));
}

function newestOf<Item>({ batches }: AccountQueue<Item>): number {
  return Math.max(...[...batches.values()].map((items) => arrivalOf(items.at(-1))));
}

function arrivalOf(waiting: Waiting<unknown> | undefined): number {
  return waiting?.arrival ?? 0;
}
