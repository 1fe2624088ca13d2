import type {
  BatchStore,
  LoadProgress,
  LoadTotals,
  NewLookup,
  OpenedBatch,
} from '../../core/batches/batch-store.ts';
import { rowsPerBlock } from '../../core/batches/row-blocks.ts';
import { failpoint } from '../../core/failpoint.ts';
import type { CompanyFile, RawRow } from '../columns/company-file.ts';
import { openBlockReader } from './read-block.ts';

/** Options of `storeRows`. */
export interface StoreRowsOptions {
  readonly progress: LoadProgress;
  /** Called after each stored block with the number of rows so far. */
  readonly onProgress: (rowsStored: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Stores the rows of a file that are not stored yet, and returns the totals.
 *
 * Parses and packs rows while the database stores the two transactions before: Postgres works on one during the round trips of the other.
 * Rows are packed in small groups, so that few rows at a time exist as objects, which the garbage collector would copy.
 */
export async function storeRows(
  store: BatchStore,
  opened: OpenedBatch,
  file: CompanyFile,
  { progress, onProgress, signal }: StoreRowsOptions,
): Promise<Omit<LoadTotals, 'staysJoinable'>> {
  const reader = await openBlockReader(file, { store, batchId: opened.batchId, progress });
  const writer = createWriter(store, opened, (rows) => onProgress(progress.rowsStored + rows));
  try {
    for await (const group of freshGroups(file, progress)) {
      signal?.throwIfAborted();
      const { rows, lookups } = await reader.read(group);
      await writer.add({ count: rows.length, packed: store.packRows(opened, rows), lookups });
    }
    await writer.flush();
  } finally {
    // Also when the file turns out to be invalid: rows stored after the batch was discarded would stay behind.
    await writer.settle();
  }
  await writer.last();
  return reader.totals();
}

/** Yields the rows that are not stored, so that each group ends with the last row of a stored block, or of the file. */
async function* freshGroups(
  { rows }: CompanyFile,
  { rowsStored }: LoadProgress,
): AsyncGenerator<readonly RawRow[]> {
  let left: readonly RawRow[] = [];
  for await (const group of rows) {
    const fresh = [...left, ...group.filter(({ rowNo }) => rowNo > rowsStored)];
    const whole = fresh.length - (fresh.length % rowsPerBlock);
    left = fresh.slice(whole);
    if (whole > 0) yield fresh.slice(0, whole);
  }
  if (left.length > 0) yield left;
}

/** Consecutive rows, packed, with the lookups that they bring. */
interface PackedGroup {
  readonly count: number;
  readonly packed: Uint8Array;
  readonly lookups: readonly NewLookup[];
}

/** Transactions of 2,000 rows and more take half the time of 1,000. A few large rows are enough. */
const rowsPerWrite = 64 * rowsPerBlock;
const bytesPerWriteMin = 2_000_000;

/** Collects groups, and stores them in transactions, of which two are open at a time. */
function createWriter(store: BatchStore, opened: OpenedBatch, onWrite: (rows: number) => void) {
  let groups: PackedGroup[] = [];
  let waiting = { rows: 0, bytes: 0 };
  let written = 0;
  let secondLast: Promise<void> = Promise.resolve();
  let last: Promise<void> = secondLast;

  async function add(group: PackedGroup): Promise<void> {
    groups.push(group);
    waiting = { rows: waiting.rows + group.count, bytes: waiting.bytes + group.packed.length };
    if (waiting.rows >= rowsPerWrite || waiting.bytes >= bytesPerWriteMin) await flush();
  }

  async function flush(): Promise<void> {
    if (groups.length === 0) return;
    const block = {
      rows: groups.map(({ packed }) => packed),
      lookups: groups.flatMap(({ lookups }) => lookups),
    };
    written += waiting.rows;
    groups = [];
    waiting = { rows: 0, bytes: 0 };
    await secondLast;
    failpoint('load:block-committed');
    secondLast = last;
    last = store.appendRows(opened, { ...block, after: secondLast });
    // Awaited two transactions later; until then its failure must not count as unhandled.
    last.catch(() => undefined);
    onWrite(written);
  }

  return { add, flush, last: () => last, settle: () => Promise.allSettled([secondLast, last]) };
}
