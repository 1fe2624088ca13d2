import { setImmediate } from 'node:timers/promises';

/**
 * Combines single calls into a few large ones: while one call of `work` is running, new items wait for the next.
 *
 * There is no timer: items that arrive in the same callback go together, and an item that arrives alone is sent at once. With `endOfTurn` as
 * `start`, those of all callbacks of the same turn of the event loop go together. `work` returns one result per item, in the given order; if it throws,
 * every item of that call fails with the error.
 *
 * `work` may let the next call start before its own end, when all that is left is to wait. Then at most two are running.
 */
export function createBatcher<Item, Result>(
  itemsMax: number,
  work: (items: readonly Item[], letNext: () => void) => Promise<readonly Result[]>,
  start: () => Promise<void> = () => Promise.resolve(),
): (item: Item) => Promise<Result> {
  interface Waiting {
    readonly item: Item;
    readonly resolve: (result: Result) => void;
    readonly reject: (error: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let busy = false;
  /** The call before the last one, which may have let that one start. */
  let before = Promise.resolve();

  async function drain(): Promise<void> {
    busy = true;
    await start();
    while (waiting.length > 0) {
      const group = waiting.slice(0, itemsMax);
      waiting = waiting.slice(itemsMax);
      const { ended, passed } = begin(group);
      await Promise.race([ended, passed]);
      await before;
      before = ended;
    }
    busy = false;
  }

  function begin(group: readonly Waiting[]) {
    let letNext = (): void => undefined;
    const passed = new Promise<void>((resolve) => (letNext = resolve));
    return { ended: settle(group, letNext), passed };
  }

  async function settle(group: readonly Waiting[], letNext: () => void): Promise<void> {
    try {
      const results = await work(
        group.map((entry) => entry.item),
        letNext,
      );
      group.forEach((entry, i) => {
        const result = results[i];
        if (result === undefined)
          entry.reject(new Error('A coalesced call answered fewer results than it had items.'));
        else entry.resolve(result);
      });
    } catch (error) {
      for (const entry of group) entry.reject(error);
    }
  }

  return function add(item) {
    return new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!busy) void drain();
    });
  };
}

/** Waits until all callbacks of the current turn of the event loop have run, such as those of all requests that have arrived. */
export function endOfTurn(): Promise<void> {
  return setImmediate();
}
