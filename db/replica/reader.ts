import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type {
  BatchReportStore,
  EndedLines,
  RejectedRows,
  ReportForm,
} from '../../src/core/batches/batch-report.ts';
import { continueItems, type ItemReading, type Pass } from './continue-items.ts';
import { readOn, type Replica } from './replica.ts';

/** Chooses where stores read: at the replica if there is one and it is ready, else at the primary. */
export interface Reader {
  /**
   * Creates a store all of whose methods only read and may be repeated. Each call is answered by one server, which has everything that was
   * committed before the call.
   *
   * @param create creates the store for connections to one server.
   */
  of<Store extends object>(create: (db: NodePgDatabase) => Store): Store;
  /** As `of`. A report that is used while it is read goes on at another server when its own is lost (`continueItems`). */
  ofReports(create: (db: NodePgDatabase) => BatchReportStore): BatchReportStore;
  /** As `ofReports`. */
  ofRejectedRows(create: (db: NodePgDatabase) => RejectedRows): RejectedRows;
}

/** Runs a reading on connections to one server, and again on others if that is lost. */
type Read = <T>(from: (db: NodePgDatabase) => Promise<T>) => Promise<T>;

/** Creates the reader. @param replica null: everything is read from the primary. */
export function createReader(primary: NodePgDatabase, replica: Replica | null): Reader {
  if (replica === null)
    return {
      of: (create) => create(primary),
      ofReports: (create) => create(primary),
      ofRejectedRows: (create) => create(primary),
    };
  const read: Read = (from) =>
    readOn(replica, { onReplica: (client) => from(drizzle(client)), onPrimary: () => from(primary) });
  return {
    of: (create) => readEachCall(read, create, primary),
    ofReports: (create) => ({
      ...readEachCall(read, create, primary),
      // It looks for transactions that are open on the primary.
      openSpan: create(primary).openSpan,
      ...readLong(read, create),
    }),
    ofRejectedRows: (create) => ({
      read: (batchId, use) => readWithForm(read, (db, each) => create(db).read(batchId, each), use),
    }),
  };
}

/** A store for connections to one server is cheap, so that each call gets its own. */
function readEachCall<Store extends object>(
  read: Read,
  create: (db: NodePgDatabase) => Store,
  primary: NodePgDatabase,
): Store {
  const methods = Object.keys(create(primary)).map((name) => [
    name,
    (...args: readonly unknown[]) =>
      read((db) => {
        const store = create(db);
        const method: unknown = Reflect.get(store, name);
        if (typeof method !== 'function') throw new TypeError(`${name} is no method of a store.`);
        return Reflect.apply(method, store, args) as Promise<unknown>;
      }),
  ]);
  return Object.fromEntries(methods) as Store;
}

function readLong(
  read: Read,
  create: (db: NodePgDatabase) => BatchReportStore,
): Pick<BatchReportStore, 'read' | 'readEnded'> {
  return {
    read: (batchId, part, use) => readWithForm(read, (db, each) => create(db).read(batchId, part, each), use),
    readEnded: async (accountId, part, use) => {
      const reading: ItemReading<EndedLines> = (db, pass) =>
        create(db).readEnded(accountId, part, (blocks) => passAll(blocks, pass));
      const blocks = continueItems(read, reading);
      try {
        return await use(blocks);
      } finally {
        await blocks.return(undefined);
      }
    },
  };
}

/** Uses the blocks of a report, and its form. */
type UseForm<Block, T> = (blocks: AsyncIterable<Block>, form: ReportForm) => Promise<T>;

async function readWithForm<Block, T>(
  read: Read,
  readFrom: (db: NodePgDatabase, each: UseForm<Block, void>) => Promise<void>,
  use: UseForm<Block, T>,
): Promise<T> {
  const items = continueItems<FormOrBlock<Block>>(read, (db, pass) =>
    readFrom(db, async (blocks, form) => {
      await pass({ kind: 'form', form });
      for await (const block of blocks) await pass({ kind: 'block', block });
    }),
  );
  try {
    const first = await items.next();
    if (first.done === true || first.value.kind !== 'form') throw new Error('The report has no form.');
    return await use(blocksOf(items), first.value.form);
  } finally {
    await items.return(undefined);
  }
}

/** The form of a report comes first, then its blocks of lines. */
type FormOrBlock<Block> =
  { readonly kind: 'form'; readonly form: ReportForm } | { readonly kind: 'block'; readonly block: Block };

async function* blocksOf<Block>(items: AsyncGenerator<FormOrBlock<Block>>): AsyncGenerator<Block> {
  for await (const item of items) if (item.kind === 'block') yield item.block;
}

async function passAll<Item>(items: AsyncIterable<Item>, pass: Pass<Item>): Promise<void> {
  for await (const item of items) await pass(item);
}
