import { createBatcher } from './batcher.ts';

/** Options of an atomic batcher. */
export interface AtomicBatcherOptions<Item, Result> {
  readonly itemsMax: number;
  /** `start` of `createBatcher`. */
  readonly start?: () => Promise<void>;
  /** Takes effect for all items or, if it throws, for none. Returns one result per item, in the given order. `letNext` as in `createBatcher`. */
  readonly work: (items: readonly Item[], letNext: () => void) => Promise<readonly Result[]>;
  /** True for an error that repeating the items one by one cannot avoid. */
  readonly concernsAll: (error: unknown) => boolean;
}

/**
 * As `createBatcher`, for calls that take effect as a whole: when a call of several items fails, each of them is repeated in a call of its
 * own, so that an error is reported only to the items that cause it.
 */
export function createAtomicBatcher<Item, Result>({
  itemsMax,
  start,
  work,
  concernsAll,
}: AtomicBatcherOptions<Item, Result>): (item: Item) => Promise<Result> {
  const batch = createBatcher<Item, () => Result>(itemsMax, together, start);

  async function together(items: readonly Item[], letNext: () => void): Promise<readonly (() => Result)[]> {
    try {
      return (await work(items, letNext)).map((result) => () => result);
    } catch (error) {
      if (items.length === 1 || concernsAll(error)) throw error;
      return eachAlone(items);
    }
  }

  async function eachAlone(items: readonly Item[]): Promise<readonly (() => Result)[]> {
    const ends: (() => Result)[] = [];
    for (const item of items) ends.push(await alone(item));
    return ends;
  }

  async function alone(item: Item): Promise<() => Result> {
    try {
      const [result] = (await work([item], () => undefined)).map((value) => () => value);
      if (result === undefined) throw new Error('A call returned no result for its item.');
      return result;
    } catch (error) {
      return () => {
        throw error;
      };
    }
  }

  return async (item) => (await batch(item))();
}
