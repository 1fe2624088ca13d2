import type { Claim } from './claim.ts';
import { createFairTurns, type FairTurns } from './fair-turns.ts';
import { firstOf } from './first-of.ts';

/** A batch with open chunks, or with more to cut. A chunk that waits for a later time is not open. */
export interface BatchInLine {
  readonly batchId: number;
  readonly sources: readonly string[];
  /** Its chunks that run, and those that have a turn. */
  readonly openChunks: number;
  /** Open chunks that have a turn and do not run. */
  readonly queuedChunks: number;
  /** Open chunks that make calls to its sources. */
  readonly callingChunks: number;
  /** Maximum number of chunks that it can still get. */
  readonly chunksLeft: number;
  /** Maximum number of new chunks of each operation. */
  readonly newChunks: Readonly<Record<Claim['operation'], number>>;
  /** Length of the turn of one of its chunks, at weight 1. */
  readonly turnLength: number;
}

/** An account with batches in line. */
export interface AccountInLine {
  readonly accountId: number;
  /** Its share of the work beside other accounts. */
  readonly weight: number;
  /** Latest turn of its chunks; null without any. */
  readonly lastTurn: number | null;
  /** Calls that the account may have in flight, by source: a batch gets no more chunks than these sources admit. */
  readonly concurrency: ReadonlyMap<string, number>;
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
  /**
   * Lists accounts whose queued chunks need other turns: those with a new weight, and those in which a batch that joins would wait behind
   * the second chunk of another one. The caller withdraws the turns, and calls `release`.
   */
  listOutOfOrder(accounts: readonly AccountInLine[]): readonly number[];
  /** Notes that the chunks of an account with this turn and later ones have no turns now. */
  release(accountId: number, from: number): void;
  /** Plans the next chunks. `presentTurn` is the turn that is served; null without open chunks. */
  plan(
    accounts: readonly AccountInLine[],
    presentTurn: number | null,
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

/** Memory of an account between two plans. */
interface KnownAccount {
  readonly weight: number;
  /** Its batches that have had a turn since they joined. */
  readonly served: Set<number>;
  /** Decides between batches with as much work open. */
  readonly turns: FairTurns<number>;
}

/**
 * Creates shares by weighted fair queuing of accounts. An account that joins begins at the present turn. Each turn of an account goes to the
 * batch with the least open work.
 *
 * An account may have its share of the window open, and no more: chunks that last long, such as those of a slow source, leave the rest
 * of the window to others.
 */
export function createChunkShares(): ChunkShares {
  const line = createFairTurns<number>();
  const known = new Map<number, KnownAccount>();

  function recall(accounts: readonly AccountInLine[], presentTurn: number | null): void {
    if (accounts.every(({ lastTurn }) => lastTurn === null)) line.rebase(line.now());
    line.advance(presentTurn ?? 0);
    for (const { accountId, weight, lastTurn, batches } of accounts)
      if (lastTurn !== null) line.recall(accountId, lastTurn + (batches[0]?.turnLength ?? 0) / weight);
    const present = new Set(accounts.map(({ accountId }) => accountId));
    for (const accountId of known.keys()) if (!present.has(accountId)) known.delete(accountId);
  }

  function know({ accountId, weight, batches }: AccountInLine): KnownAccount {
    const { served, turns } = known.get(accountId) ?? { served: null, turns: createFairTurns<number>() };
    const still = batches.filter(
      ({ batchId, openChunks }) => openChunks > 0 || served?.has(batchId) === true,
    );
    const account = { weight, turns, served: new Set(still.map(({ batchId }) => batchId)) };
    known.set(accountId, account);
    return account;
  }

  return {
    listOutOfOrder: (accounts) =>
      accounts
        .filter((account) => isOutOfOrder(account, known.get(account.accountId)))
        .map(({ accountId }) => accountId),
    release: line.release,
    plan: (accounts, presentTurn, options) => {
      recall(accounts, presentTurn);
      const planning = openPlanning(
        accounts.map((account) => ({ ...account, ...know(account), admission: openAdmission(account) })),
        options,
      );
      for (let account = planning.next(line); account !== null; account = planning.next(line)) {
        const batch = nextBatch(account);
        account.served.add(batch.batchId);
        account.turns.advance(account.turns.take(batch.batchId, batch.turnLength));
        planning.add(account, batch, line.take(account.accountId, batch.turnLength / account.weight));
      }
      return planning.cuts();
    },
    noteUnused: ({ accountId, batchId, turnLength, weight }, chunks) => {
      line.shorten(accountId, (turnLength / weight) * chunks);
      known.get(accountId)?.turns.shorten(batchId, turnLength * chunks);
    },
    rebaseBy: () => (line.now() < turnMax ? 0 : Math.floor(line.now())),
    rebase: line.rebase,
  };
}

/** True if the account has another weight than when its chunks got their turns, or a batch that joins would wait behind a second chunk. */
function isOutOfOrder(account: AccountInLine, known: KnownAccount | undefined): boolean {
  if (known !== undefined && known.weight !== account.weight)
    return account.batches.some(({ queuedChunks }) => queuedChunks > 0);
  const ahead = account.batches.filter((batch) => batch.queuedChunks > 0 && batch.openChunks > 1);
  if (ahead.length === 0) return false;
  const admission = openAdmission(account);
  return account.batches
    .filter(
      (batch) => batch.openChunks === 0 && batch.chunksLeft > 0 && known?.served.has(batch.batchId) !== true,
    )
    .map((batch) => admission.fullSourcesOf(batch))
    .some((full) => ahead.some(({ sources }) => full.every((source) => sources.includes(source))));
}

/** Chunks of an account, with those that a round has planned, and the sources that admit no more of them. */
function openAdmission({ concurrency, batches }: AccountInLine) {
  const planned = new Map<number, number>();
  const calling = new Map<string, number>();
  for (const { sources, callingChunks } of batches) count(sources, callingChunks);

  function count(sources: readonly string[], chunks: number): void {
    for (const source of sources) calling.set(source, (calling.get(source) ?? 0) + chunks);
  }
  const openOf = ({ batchId, openChunks }: BatchInLine) => openChunks + (planned.get(batchId) ?? 0);
  const fullSourcesOf = ({ sources }: BatchInLine) =>
    sources.filter((source) => (calling.get(source) ?? 0) >= (concurrency.get(source) ?? Infinity));
  return {
    openOf,
    fullSourcesOf,
    admits: (batch: BatchInLine) =>
      (planned.get(batch.batchId) ?? 0) < batch.chunksLeft && fullSourcesOf(batch).length === 0,
    add: (batch: BatchInLine) => {
      planned.set(batch.batchId, (planned.get(batch.batchId) ?? 0) + 1);
      count(batch.sources, 1);
    },
  };
}

type Admission = ReturnType<typeof openAdmission>;

/** An account in a round. */
interface Contender extends AccountInLine, KnownAccount {
  readonly admission: Admission;
}

/** The batch with the least open work; of several, the one whose turn begins first. */
function nextBatch({ batches, turns, admission }: Contender): BatchInLine {
  const batch = firstOf(batches.filter(admission.admits), [
    (each) => admission.openOf(each) * each.turnLength,
    ({ batchId }) => turns.next(batchId),
  ]);
  if (batch === null) throw new Error('An account without batches was given a turn.');
  return batch;
}

/** Chunks that one round has planned. */
function openPlanning(accounts: readonly Contender[], options: ShareOptions) {
  const { chunksMax, chunksPerAccountMin = 0, windowChunksMax = 0 } = options;
  const waiting = accounts.filter(({ batches }) => batches.some(({ chunksLeft }) => chunksLeft > 0));
  const open = new Map(accounts.map(({ accountId, batches }) => [accountId, openChunksOf(batches)]));
  const openChunks = [...open.values()].reduce((sum, chunks) => sum + chunks, 0);
  const weights = waiting.reduce((sum, { weight }) => sum + weight, 0);
  const lowest = Math.min(...waiting.map(({ weight }) => weight));
  const wide = Math.min(Math.ceil((chunksPerAccountMin * weights) / lowest), windowChunksMax);
  const window = Math.max(chunksMax + openChunks, waiting.length === 0 ? 0 : wide);
  const turns = new Map<number, number[]>();
  let left = window - openChunks;

  const openOf = ({ accountId }: AccountInLine) => open.get(accountId) ?? 0;
  function hasRoom(account: Contender): boolean {
    if (!account.batches.some(account.admission.admits)) return false;
    if (openOf(account) < chunksPerAccountMin) return true;
    return left > 0 && openOf(account) < Math.ceil((window * account.weight) / weights);
  }
  return {
    /** The account whose turn begins first; of several, the one with the fewest chunks for its weight. Null when none may have more. */
    next: (line: FairTurns<number>): Contender | null =>
      firstOf(waiting.filter(hasRoom), [
        ({ accountId }) => line.next(accountId),
        (account) => openOf(account) / account.weight,
      ]),
    add: (account: Contender, batch: BatchInLine, turn: number): void => {
      account.admission.add(batch);
      open.set(account.accountId, openOf(account) + 1);
      turns.set(batch.batchId, [...(turns.get(batch.batchId) ?? []), Math.floor(turn)]);
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

function openChunksOf(batches: readonly BatchInLine[]): number {
  return batches.reduce((sum, batch) => sum + batch.openChunks, 0);
}
