import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createChunkShares,
  type AccountInLine,
  type BatchInLine,
  type ChunkShares,
} from '../../../../../src/core/work/share-chunks.ts';
import { takeSeedNumber } from '../../../../support/seed-number.ts';

interface SimulatedAccount {
  readonly accountId: number;
  readonly weight: number;
  readonly batches: number;
}

/** Accounts with endless batches, whose chunks end one at a time in the order of their turns, as at a source with a pace. */
function simulate(window: number) {
  const shares = createChunkShares();
  const accounts: SimulatedAccount[] = [];
  const open: { accountId: number; batchId: number; turn: number }[] = [];
  const ended = new Map<number, number>();
  const endedOfBatch = new Map<number, number>();
  let runningTurn: number | null = null;

  function line(): readonly AccountInLine[] {
    return accounts.map(({ accountId, weight, batches }) => {
      const chunks = open.filter((chunk) => chunk.accountId === accountId);
      return {
        accountId,
        weight,
        lastTurn: chunks.length === 0 ? null : Math.max(...chunks.map(({ turn }) => turn)),
        concurrency: new Map(),
        batches: Array.from({ length: batches }, (_, n) => {
          const batchId = accountId * 10_000 + n;
          return batchInLine(batchId, chunks.filter((chunk) => chunk.batchId === batchId).length);
        }),
      };
    });
  }
  function step(): void {
    const chunksMax = Math.max(0, window - open.length);
    for (const cut of shares.plan(line(), runningTurn, { chunksMax, chunksPerAccountMin: 2 }))
      open.push(...cut.turns.map((turn) => ({ accountId: cut.accountId, batchId: cut.batchId, turn })));
    open.sort((a, b) => a.turn - b.turn);
    const first = open.shift();
    if (first === undefined) return;
    runningTurn = first.turn;
    ended.set(first.accountId, (ended.get(first.accountId) ?? 0) + 1);
    endedOfBatch.set(first.batchId, (endedOfBatch.get(first.batchId) ?? 0) + 1);
  }
  return {
    join: (account: SimulatedAccount) => void accounts.push(account),
    leave: (accountId: number) =>
      accounts.splice(
        accounts.findIndex((account) => account.accountId === accountId),
        1,
      ),
    /** Ends this many chunks, and returns how many of each account ended. */
    run: (steps: number): ReadonlyMap<number, number> => {
      ended.clear();
      for (let n = 0; n < steps; n += 1) step();
      return new Map(ended);
    },
    endedOfBatch,
  };
}

const weights = fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 20 });

test('accounts end chunks in proportion to their weights, whatever the number of their batches', () => {
  fc.assert(
    fc.property(
      weights,
      fc.integer({ min: 1, max: 130 }),
      fc.integer({ min: 1, max: 30 }),
      (all, window, many) => {
        const { join, run } = simulate(window);
        all.forEach((weight, accountId) => join({ accountId, weight, batches: accountId === 0 ? many : 1 }));
        const sum = all.reduce((total, weight) => total + weight, 0);
        run(sum);
        const rounds = 5;
        const ended = run(sum * rounds);
        for (const [accountId, weight] of all.entries())
          expect(Math.abs((ended.get(accountId) ?? 0) - weight * rounds)).toBeLessThanOrEqual(2);
      },
    ),
    { seed: takeSeedNumber(), numRuns: 40 },
  );
});

test('an account that joins gets its share at once, and one that was away gets no more', () => {
  const { join, leave, run } = simulate(128);
  join({ accountId: 1, weight: 1, batches: 50 });
  run(200);
  join({ accountId: 2, weight: 1, batches: 1 });
  expect(run(100).get(2)).toBeGreaterThanOrEqual(48);
  leave(2);
  run(300);
  join({ accountId: 2, weight: 1, batches: 1 });
  const again = run(100);
  expect(again.get(2)).toBeGreaterThanOrEqual(48);
  expect(again.get(2)).toBeLessThanOrEqual(52);
});

test('the batches of an account share its chunks, and one that is loaded later does not overtake the others for long', () => {
  const { join, run, endedOfBatch } = simulate(16);
  join({ accountId: 1, weight: 1, batches: 20 });
  run(200);
  expect([...endedOfBatch.values()].sort((a, b) => a - b)).toEqual(Array<number>(20).fill(10));
});

test('an account whose chunks do not end has its share of the window, and the others have the rest', () => {
  const shares = createChunkShares();
  const stuck: { open: number } = { open: 0 };
  let others = 0;
  for (let round = 0; round < 100; round += 1) {
    const cuts = shares.plan([account(1, stuck.open), account(2, 0)], null, { chunksMax: 128 - stuck.open });
    stuck.open += countOf(cuts, 1);
    others += countOf(cuts, 2);
  }
  expect(stuck.open).toBe(64);
  expect(others).toBe(100 * 64);
});

test('a limit of calls in flight bounds the open chunks at its source, and no others of the account', () => {
  const shares = createChunkShares();
  const limited = {
    ...account(1, 0),
    concurrency: new Map([['upstream', 3]]),
    batches: [
      { ...batchInLine(11, 5), callingChunks: 1 },
      batchInLine(12, 0),
      { ...batchInLine(13, 0), sources: ['snapshot'] },
    ],
  };
  const cuts = shares.plan([limited, account(2, 0)], null, { chunksMax: 123, chunksPerAccountMin: 2 });
  const chunks = [11, 12, 13].map((batchId) => turnsOf(cuts, batchId).length);
  expect(chunks).toEqual([0, 2, 57]);
  expect(countOf(cuts, 2)).toBe(64);
});

describe('an account is out of order', () => {
  const { listOutOfOrder, plan } = createChunkShares();
  const large = { ...batchInLine(1, 8), queuedChunks: 7 };
  const small = batchInLine(2, 0);
  const line = (batches: readonly BatchInLine[], more: Partial<AccountInLine> = {}) => [
    { ...account(1, 0), batches, ...more },
  ];

  test('while a batch that joins has no chunk and another one has a second one queued', () => {
    expect(listOutOfOrder(line([large, small]))).toEqual([1]);
    expect(listOutOfOrder(line([large, { ...small, chunksLeft: 0 }]))).toEqual([]);
    expect(listOutOfOrder(line([{ ...large, openChunks: 1, queuedChunks: 1 }, small]))).toEqual([]);
    expect(listOutOfOrder(line([{ ...large, queuedChunks: 0 }, small]))).toEqual([]);
  });

  test('not for a batch whose source admits no more, unless the other one would make room there', () => {
    const concurrency = new Map([['upstream', 8]]);
    const elsewhere = { ...large, sources: ['snapshot'] };
    const full = { ...batchInLine(3, 8), queuedChunks: 0 };
    expect(listOutOfOrder(line([large, small], { concurrency }))).toEqual([1]);
    expect(listOutOfOrder(line([elsewhere, full, small], { concurrency }))).toEqual([]);
  });

  test('once for each batch that joins', () => {
    plan(line([large, small]), 0, { chunksMax: 1 });
    expect(listOutOfOrder(line([large, small]))).toEqual([]);
    plan(line([large]), 0, { chunksMax: 0 });
    expect(listOutOfOrder(line([large, small]))).toEqual([1]);
  });

  test('with another weight than when its chunks got their turns', () => {
    expect(listOutOfOrder(line([large], { weight: 3 }))).toEqual([1]);
    expect(listOutOfOrder(line([{ ...large, queuedChunks: 0 }], { weight: 3 }))).toEqual([]);
    plan(line([large], { weight: 3 }), 0, { chunksMax: 0 });
    expect(listOutOfOrder(line([large], { weight: 3 }))).toEqual([]);
  });
});

test('turns that are given back go to the batches of the account one by one, and stay those of the account', () => {
  const shares = createChunkShares();
  const before = shares.plan([account(1, 0), account(2, 0)], null, { chunksMax: 16 });
  shares.release(1, 100);
  const joined = { ...account(1, 1), lastTurn: 0, batches: [batchInLine(1, 1), batchInLine(11, 0)] };
  const after = shares.plan([joined, { ...account(2, 8), lastTurn: 700 }], 0, { chunksMax: 7 });
  expect([...turnsOf(after, 1), ...turnsOf(after, 11), 0].sort((a, b) => a - b)).toEqual(turnsOf(before, 1));
  expect(turnsOf(after, 11)).toEqual([100, 300, 500, 700]);
});

test('the window widens so that each account has its chunks in line, by its weight, up to a bound', () => {
  const shares = createChunkShares();
  const line = Array.from({ length: 100 }, (_, n) => ({ ...account(n, 0), weight: n === 0 ? 3 : 1 }));
  const options = { chunksMax: 128, chunksPerAccountMin: 2 };
  const wide = shares.plan(line, null, { ...options, windowChunksMax: 512 });
  expect([countOf(wide, 0), countOf(wide, 1), countOf(wide, 99)]).toEqual([6, 2, 2]);
  const bounded = createChunkShares().plan(line, null, { ...options, windowChunksMax: 150 });
  expect([countOf(bounded, 0), countOf(bounded, 1), countOf(bounded, 99)]).toEqual([4, 2, 2]);
});

test('without room only accounts below the minimum get chunks', () => {
  const shares = createChunkShares();
  const cuts = shares.plan([account(1, 128), account(2, 0), account(3, 1)], 0, {
    chunksMax: 0,
    chunksPerAccountMin: 2,
  });
  expect([1, 2, 3].map((accountId) => countOf(cuts, accountId))).toEqual([0, 2, 1]);
});

test('a batch that had less to cut gives its turns back', () => {
  const shares = createChunkShares();
  const [cut] = shares.plan([account(1, 0)], null, { chunksMax: 10 });
  if (cut === undefined) throw new Error('Nothing was planned.');
  shares.noteUnused(cut, 9);
  const next = shares.plan([account(1, 1)], null, { chunksMax: 1 });
  expect(next.map(({ turns }) => turns)).toEqual([[100]]);
});

test('a chunk that waits for a later time keeps its turn, although nothing is open', () => {
  const shares = createChunkShares();
  shares.plan([account(1, 1)], 50_000, { chunksMax: 1 });
  const [cut] = shares.plan([{ ...account(1, 0), lastTurn: 50_000 }], null, { chunksMax: 1 });
  expect(cut?.turns).toEqual([50_100]);
});

test('turns are moved back when they are large, and when nothing is open', () => {
  const shares = createChunkShares();
  shares.plan([account(1, 1)], 1_048_575, { chunksMax: 1 });
  expect(shares.rebaseBy()).toBe(0);
  shares.plan([account(1, 1)], 1_048_600, { chunksMax: 1 });
  const by = shares.rebaseBy();
  expect(by).toBe(1_048_600);
  shares.rebase(by);
  expect(shares.rebaseBy()).toBe(0);
  shares.plan([account(1, 1)], 50_000, { chunksMax: 1 });
  const [idle] = shares.plan([account(1, 0)], null, { chunksMax: 1 });
  expect(idle?.turns).toEqual([100]);
});

function account(accountId: number, openChunks: number): AccountInLine {
  return {
    accountId,
    weight: 1,
    lastTurn: null,
    concurrency: new Map(),
    batches: [batchInLine(accountId, openChunks)],
  };
}

function batchInLine(batchId: number, openChunks: number): BatchInLine {
  return {
    batchId,
    sources: ['upstream'],
    openChunks,
    queuedChunks: openChunks,
    callingChunks: openChunks,
    chunksLeft: 1000,
    newChunks: { ads_search: 1000, email_validation: 0 },
    turnLength: 100,
  };
}

function turnsOf(cuts: ReturnType<ChunkShares['plan']>, batchId: number): readonly number[] {
  return cuts.find((cut) => cut.batchId === batchId)?.turns ?? [];
}

function countOf(cuts: ReturnType<ChunkShares['plan']>, accountId: number): number {
  return cuts.filter((cut) => cut.accountId === accountId).reduce((sum, { turns }) => sum + turns.length, 0);
}
