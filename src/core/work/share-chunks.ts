import { createFairTurns, type FairTurns } from './fair-turns.ts';

/** A batch with more to cut. */
export interface BatchInLine {
  readonly batchId: number;
  /** Its queued and running chunks. */
  readonly openChunks: number;
  /** Length of the turn of one of its chunks, at weight 1. */
  readonly turnLength: number;
}

/** An account with open chunks, or with batches that have more to cut. */
export interface AccountInLine {
  readonly accountId: number;
  /** Its share of the work beside other accounts. */
  readonly weight: number;
  /** Queued and running chunks of its running batches. */
  readonly openChunks: number;
  /** Latest turn of these chunks; null without any. */
  readonly lastTurn: number | null;
  /** Maximum number of open chunks: the calls that the account may have in flight at a source of its batches. Null: no limit. */
  readonly openChunksMax: number | null;
  readonly batches: readonly BatchInLine[];
}

export interface ShareOptions {
  /** Maximum number of chunks to cut. */
  readonly chunksMax: number;
  /**
   * Open chunks of an account with the lowest weight, and more for others by their weights: with fewer, an account waits for its own chunks
   * before it gets the next ones. An account below it gets chunks although `chunksMax` is used up, so that one that joins does not wait for
   * the chunks of others. Default: none.
   */
  readonly chunksPerAccountMin?: number;
  /** Maximum number of open chunks for which `chunksPerAccountMin` widens the window. Default: the window stays. */
  readonly windowChunksMax?: number;
}

/** Chunks to cut from a batch: one per turn, in this order. */
export interface PlannedCut extends BatchInLine {
  readonly accountId: number;
  readonly weight: number;
  readonly turns: readonly number[];
}

/** Shares chunks between accounts, and those of an account between its batches. */
export interface ChunkShares {
  /** Plans the next chunks. `runningTurn` is the latest turn of a chunk that runs; null without any. */
  plan(
    accounts: readonly AccountInLine[],
    runningTurn: number | null,
    options: ShareOptions,
  ): readonly PlannedCut[];
  /** Notes that a batch had this many chunks less to cut than planned. */
  noteUnused(cut: PlannedCut, chunks: number): void;
  /** Returns by how much all turns have to move back to stay small; 0 for not yet. The caller has moved those of the stored chunks. */
  rebaseBy(): number;
  rebase(by: number): void;
}

/** Present from which turns are moved back: half of the priorities that the queue has, so that the open chunks fit into the rest. */
const turnMax = 1_048_576;

/**
 * Creates shares by weighted fair queuing: by account first, then by batch. An account that joins begins at the present turn.
 *
 * An account may have its share of the window open, and no more: chunks that last long, such as those of a slow source, leave the rest
 * of the window to others.
 */
export function createChunkShares(): ChunkShares {
  const line = createFairTurns<number>();
  const lines = new Map<number, FairTurns<number>>();

  function lineOf(accountId: number): FairTurns<number> {
    const known = lines.get(accountId) ?? createFairTurns<number>();
    lines.set(accountId, known);
    return known;
  }

  function recall(accounts: readonly AccountInLine[], runningTurn: number | null): void {
    if (accounts.every(({ openChunks }) => openChunks === 0)) line.rebase(line.now());
    line.advance(runningTurn ?? 0);
    for (const { accountId, weight, lastTurn, batches } of accounts)
      if (lastTurn !== null) line.recall(accountId, lastTurn + (batches[0]?.turnLength ?? 0) / weight);
    const present = new Set(accounts.map(({ accountId }) => accountId));
    for (const accountId of lines.keys()) if (!present.has(accountId)) lines.delete(accountId);
  }

  return {
    plan: (accounts, runningTurn, options) => {
      recall(accounts, runningTurn);
      const planning = openPlanning(accounts, options);
      for (let account = planning.next(line); account !== null; account = planning.next(line)) {
        const batches = lineOf(account.accountId);
        const batch = planning.nextBatch(account, batches);
        batches.advance(batches.take(batch.batchId, batch.turnLength));
        planning.add(account, batch, line.take(account.accountId, batch.turnLength / account.weight));
      }
      return planning.cuts();
    },
    noteUnused: ({ accountId, batchId, turnLength, weight }, chunks) => {
      line.shorten(accountId, (turnLength / weight) * chunks);
      lineOf(accountId).shorten(batchId, turnLength * chunks);
    },
    rebaseBy: () => (line.now() < turnMax ? 0 : Math.floor(line.now())),
    rebase: line.rebase,
  };
}

/** Chunks that one round has planned. */
function openPlanning(accounts: readonly AccountInLine[], options: ShareOptions) {
  const { chunksMax, chunksPerAccountMin = 0, windowChunksMax = 0 } = options;
  const waiting = accounts.filter(({ batches }) => batches.length > 0);
  const openChunks = accounts.reduce((sum, account) => sum + account.openChunks, 0);
  const weights = waiting.reduce((sum, { weight }) => sum + weight, 0);
  const lowest = Math.min(...waiting.map(({ weight }) => weight));
  const wide = Math.min(Math.ceil((chunksPerAccountMin * weights) / lowest), windowChunksMax);
  const window = Math.max(chunksMax + openChunks, waiting.length === 0 ? 0 : wide);
  const open = new Map(waiting.map(({ accountId, openChunks }) => [accountId, openChunks]));
  const turns = new Map<number, number[]>();
  let left = window - openChunks;

  const openOf = ({ accountId }: AccountInLine) => open.get(accountId) ?? 0;
  const openOfBatch = ({ batchId, openChunks }: BatchInLine) =>
    openChunks + (turns.get(batchId)?.length ?? 0);
  function hasRoom(account: AccountInLine): boolean {
    if (openOf(account) >= (account.openChunksMax ?? Infinity)) return false;
    if (openOf(account) < chunksPerAccountMin) return true;
    return left > 0 && openOf(account) < Math.ceil((window * account.weight) / weights);
  }
  return {
    /** The account whose turn begins first; of several, the one with the fewest chunks for its weight. Null when none may have more. */
    next: (line: FairTurns<number>): AccountInLine | null =>
      firstOf(waiting.filter(hasRoom), [
        ({ accountId }) => line.next(accountId),
        (account) => openOf(account) / account.weight,
      ]),
    nextBatch: ({ batches }: AccountInLine, line: FairTurns<number>): BatchInLine => {
      const batch = firstOf(batches, [({ batchId }) => line.next(batchId), openOfBatch]);
      if (batch === null) throw new Error('An account without batches was given a turn.');
      return batch;
    },
    add: (account: AccountInLine, { batchId }: BatchInLine, turn: number): void => {
      open.set(account.accountId, openOf(account) + 1);
      turns.set(batchId, [...(turns.get(batchId) ?? []), Math.floor(turn)]);
      left -= 1;
    },
    cuts: (): readonly PlannedCut[] =>
      waiting
        .flatMap(({ accountId, weight, batches }) =>
          batches.map((batch) => ({ ...batch, accountId, weight, turns: turns.get(batch.batchId) ?? [] })),
        )
        .filter((cut) => cut.turns.length > 0),
  };
}

/** The first item with the lowest value by the first order, then by the next ones; null without any. */
function firstOf<Item>(items: readonly Item[], orders: readonly ((item: Item) => number)[]): Item | null {
  let best: { readonly item: Item; readonly values: readonly number[] } | null = null;
  for (const item of items) {
    const values = orders.map((order) => order(item));
    if (best === null || isBefore(values, best.values)) best = { item, values };
  }
  return best?.item ?? null;
}

function isBefore(values: readonly number[], others: readonly number[]): boolean {
  const at = values.findIndex((value, i) => value !== others[i]);
  return at !== -1 && (values[at] ?? 0) < (others[at] ?? 0);
}
