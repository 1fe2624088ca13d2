import { group } from '../../group.ts';
import { createFairTurns } from '../../work/fair-turns.ts';
import { firstOf } from '../../work/first-of.ts';

/** For whom something waits: accounts share by their weights, and the batches of an account take turns. */
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
  /** Adds an item, and returns a function that removes it if it still waits. */
  readonly add: (share: Share, item: Item) => () => void;
  /** Removes the next item, which counts as served. Null when the queue is empty. */
  readonly takeFirst: () => Item | null;
  /** Removes the item that would be served last. Null when the queue is empty. */
  readonly dropLast: () => Item | null;
  /** Counts something as served that did not wait in the queue. */
  readonly charge: (share: Share) => void;
  /** Takes back that something counts as served: nothing came of it. */
  readonly refund: (share: Share) => void;
}

/** An item, and the number of its arrival. */
interface Waiting<Item> {
  readonly arrival: number;
  readonly share: Share;
  readonly item: Item;
}

export function createFairQueue<Item>(): FairQueue<Item> {
  const turns = createFairTurns<number>();
  const served = createServedBatches();
  let waiting: readonly Waiting<Item>[] = [];
  let arrivals = 0;

  function charge(share: Share): void {
    turns.advance(turns.take(share.accountId, 1 / share.weight));
    served.note(share, arrivals++);
  }
  function remove(removed: Waiting<Item>): void {
    waiting = waiting.filter((each) => each !== removed);
  }
  /** The batch that was last served, or has waited, since the earliest time is the next one. */
  function sinceOf([first]: readonly Waiting<Item>[]): number {
    return first === undefined ? Infinity : (served.at(first.share) ?? first.arrival);
  }
  /** Beginning of the turn of the last item of an account. */
  function lastTurnOf(items: readonly Waiting<Item>[]): number {
    const last = items.at(-1);
    if (last === undefined) return -Infinity;
    return turns.next(last.share.accountId) + (items.length - 1) / last.share.weight;
  }

  return {
    size: () => waiting.length,
    add: (share, item) => {
      const added = { arrival: arrivals++, share, item };
      waiting = [...waiting, added];
      return () => remove(added);
    },
    takeFirst: () => {
      const account = firstOf(byAccount(waiting), [
        ([first]) => (first === undefined ? Infinity : turns.next(first.share.accountId)),
        ([first]) => first?.arrival ?? Infinity,
      ]);
      const first = firstOf(byBatch(account ?? []), [sinceOf])?.[0];
      if (first === undefined) return null;
      remove(first);
      charge(first.share);
      return first.item;
    },
    dropLast: () => {
      const account = firstOf(byAccount(waiting), [
        (items) => -lastTurnOf(items),
        (items) => -(items.at(-1)?.arrival ?? 0),
      ]);
      const batch = firstOf(byBatch(account ?? []), [({ length }) => -length, (items) => -sinceOf(items)]);
      const last = batch?.at(-1);
      if (last === undefined) return null;
      remove(last);
      return last.item;
    },
    charge,
    refund: ({ accountId, weight }) => turns.shorten(accountId, 1 / weight),
  };
}

function byAccount<Item>(waiting: readonly Waiting<Item>[]) {
  return [...group(waiting, (each) => [each.share.accountId, each]).values()];
}

function byBatch<Item>(waiting: readonly Waiting<Item>[]) {
  return [...group(waiting, (each) => [each.share.batchId, each]).values()];
}

/** Batches whose last service is known; one that is forgotten takes its turn like a new one. */
const batchesMax = 10_000;

/** Remembers when each batch was last served. */
function createServedBatches() {
  const times = new Map<string, number>();
  const keyOf = ({ accountId, batchId }: Share) => `${accountId} ${batchId}`;
  return {
    at: (share: Share) => times.get(keyOf(share)) ?? null,
    note: (share: Share, time: number) => {
      times.delete(keyOf(share));
      times.set(keyOf(share), time);
      const [oldest] = times.keys();
      if (times.size > batchesMax && oldest !== undefined) times.delete(oldest);
    },
  };
}
