import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { serialize } from 'node:v8';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { DatabaseUnavailable } from '../../src/core/errors.ts';

/** Passes an item of a reading on. Resolves when the receiver has room for the next one. */
export type Pass<Item> = (item: Item) => Promise<void>;

/** A reading that passes its items on in order, from one snapshot of a database. */
export type ItemReading<Item> = (db: NodePgDatabase, pass: Pass<Item>) => Promise<void>;

/** Runs a reading on one server after the other, until one succeeds. */
type Run = (from: (db: NodePgDatabase) => Promise<void>) => Promise<void>;

/**
 * Reads items some of which are used while the rest is read, so that a lost reading cannot simply be repeated. The repeated one begins anew, on
 * a snapshot of its own, and only passes on what is missing. What was passed before must be the same in it: so all items are those of one
 * snapshot, the last one.
 *
 * @throws DatabaseUnavailable when what was passed before is different now; and what the last reading throws.
 */
export function continueItems<Item>(run: Run, read: ItemReading<Item>): AsyncGenerator<Item> {
  const digests: string[] = [];
  return itemsOf<Item>((pass) =>
    run(async (db) => {
      let place = 0;
      await read(db, async (item) => {
        const digest = digestOf(item);
        const before = digests[place];
        place += 1;
        if (before === undefined) {
          digests.push(digest);
          return pass(item);
        }
        if (before !== digest) throw new ChangedItems();
        return undefined;
      });
      if (place < digests.length) throw new ChangedItems();
    }),
  );
}

/** Another server has other data than what was read before the replica was lost. No repetition helps, so it is not an error of the server. */
class ChangedItems extends Error {
  override readonly name = 'ChangedItems';
}

function digestOf(item: unknown): string {
  return createHash('sha1').update(serialize(item)).digest('base64');
}

/** The items that a reading passes on. It is one item ahead of its user; when that ends early, the reading fails at its next item. */
async function* itemsOf<Item>(read: (pass: Pass<Item>) => Promise<void>): AsyncGenerator<Item> {
  const channel = new PassThrough({ objectMode: true, highWaterMark: 1 });
  const ended = new AbortController();
  const reading = read(async (item) => {
    ended.signal.throwIfAborted();
    if (!channel.write(item)) await once(channel, 'drain', { signal: ended.signal });
  }).then(
    () => void channel.end(),
    (error: unknown) => {
      channel.destroy(error instanceof ChangedItems ? changed(error) : asError(error));
    },
  );
  try {
    for await (const item of channel as AsyncIterable<Item>) yield item;
  } finally {
    ended.abort();
    channel.on('error', () => undefined);
    channel.destroy();
    await reading;
  }
}

function changed(cause: ChangedItems): DatabaseUnavailable {
  return new DatabaseUnavailable(
    'The replica ended the reading before it was complete, and the data has changed since it began. Repeat it.',
    { cause },
  );
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
