import { describe, expect, test } from 'vitest';
import type { Claim } from '../../../src/core/work/claim.ts';
import { Conflict, NotFound } from '../../../src/core/errors.ts';
import { openBatchControls } from '../../support/faults/steering.ts';

const price = 200_000n;

describe('paused batch', () => {
  test('starts no chunk, holds no credits, and keeps charges of finished work', async () => {
    const { load, cut, claim, answer, control, accountId, work, balance, summary, findings, drainFully } =
      await openBatchControls();
    const { batchId, publicId } = await load(10);
    const [first, second] = await cut(4);
    if (first === undefined || second === undefined) throw new Error('Two chunks were to be cut.');
    await answer(await claim(first));
    await control.pause(accountId, publicId);
    expect(await work.claim(second.chunkId, second.generation, 60_000)).toBeNull();
    expect(await drainFully(batchId)).toEqual({ kind: 'at_rest' });
    expect(await balance()).toEqual({ balanceMicro: 1_000_000_000n - 2n * price, heldMicro: 0n });
    expect(await summary(publicId)).toMatchObject({
      state: 'paused',
      lookups: { found: 2, none: 2, open: 6 },
    });
    expect(await cut(4)).toEqual([]);
    expect(await findings()).toEqual([]);
  });

  test('is drained once running calls have ended, and stores their results', async () => {
    const { load, cut, claim, answer, control, work, accountId, summary, findings, drainFully } =
      await openBatchControls();
    const { batchId, publicId } = await load(4);
    const [chunk] = await cut(4);
    const claimed = await claim(chunk ?? { chunkId: 0, generation: 0 });
    await control.pause(accountId, publicId);
    expect(await drainFully(batchId)).toEqual({ kind: 'calls', chunks: 1 });
    expect(await work.renew([claimed.token], 60_000)).toEqual({
      lost: [],
      waiting: [],
      halted: [claimed.token],
    });
    await answer(claimed, 1);
    await work.release(claimed, { delayMs: 0, failedTries: [] });
    expect(await drainFully(batchId)).toEqual({ kind: 'at_rest' });
    expect(await summary(publicId)).toMatchObject({ lookups: { found: 1, open: 3 }, chargedMicro: price });
    expect(await findings()).toEqual([]);
  });

  test('is drained without a worker whose lease expired, and rejects its late results', async () => {
    const { load, cut, claim, answer, control, accountId, lapse, balance, findings, drainFully } =
      await openBatchControls();
    const { batchId, publicId } = await load(4);
    const [chunk] = await cut(4);
    const claimed = await claim(chunk ?? { chunkId: 0, generation: 0 });
    await control.pause(accountId, publicId);
    await lapse(claimed);
    expect(await drainFully(batchId)).toEqual({ kind: 'at_rest' });
    await expect(answer(claimed)).rejects.toThrow('belongs to another worker');
    expect((await balance()).heldMicro).toBe(0n);
    expect(await findings()).toEqual([]);
  });

  test('resumes where it stopped: holds credits again and charges once', async () => {
    const { load, cut, claim, answer, control, accountId, dispatch, balance, summary, findings, drainFully } =
      await openBatchControls();
    const { batchId, publicId } = await load(10);
    const [first] = await cut(4);
    await answer(await claim(first ?? { chunkId: 0, generation: 0 }), 2);
    await control.pause(accountId, publicId);
    await control.pause(accountId, publicId);
    expect((await drainFully(batchId)).kind).toBe('calls');
    await control.resume(accountId, publicId, {});
    // Twice, so that the holds are those of a third attempt.
    for (let round = 0; round < 2; round++) {
      await cut(4);
      await control.pause(accountId, publicId);
      await drainFully(batchId);
      await control.resume(accountId, publicId, {});
    }
    const again = await cut(4);
    expect((await balance()).heldMicro).toBe(8n * price);
    for (const chunk of again) await answer(await claim(chunk));
    await dispatch.finishBatches();
    expect(await findings()).toEqual([]);
    // The first worker still has the first chunk.
    expect(await summary(publicId)).toMatchObject({ state: 'running', lookups: { total: 10, open: 2 } });
  });

  test('without its former credits resumes with the available ones, company by company', async () => {
    const {
      load,
      cut,
      claim,
      answer,
      control,
      accountId,
      ledger,
      dispatch,
      balance,
      summary,
      findings,
      drainFully,
    } = await openBatchControls({ credits: 2n });
    const { batchId, publicId } = await load(8);
    expect(await cut(4)).toHaveLength(2);
    await control.pause(accountId, publicId);
    await drainFully(batchId);
    await ledger.reserve(accountId, [
      { lookupId: 999_999n, attempt: 1, amountMicro: 2_000_000n - 6n * price },
    ]);
    await control.resume(accountId, publicId, {});
    expect(await cut(4)).toHaveLength(1);
    expect(await cut(4)).toHaveLength(2);
    expect((await balance()).balanceMicro).toBe(0n);
    await ledger.resolve(accountId, [{ lookupId: 999_999n, attempt: 1, amountMicro: 0n }]);
    for (let round = 0; round < 3; round++) {
      for (const chunk of await cut(4)) await answer(await claim(chunk)).catch(() => undefined);
    }
    await dispatch.wakeBatches();
    expect(await summary(publicId)).toMatchObject({ state: 'running' });
    expect((await findings()).filter((finding) => !finding.includes('999999'))).toEqual([]);
  });

  test('is drained by the dispatcher when the command was interrupted', async () => {
    const { load, cut, control, accountId, findings, drainFully } = await openBatchControls();
    const { batchId, publicId } = await load(4);
    await cut(2);
    await control.pause(accountId, publicId);
    expect(await control.listUnsettled()).toEqual([batchId]);
    await drainFully(batchId);
    expect(await control.listUnsettled()).toEqual([]);
    expect(await findings()).toEqual([]);
  });
});

describe('cancelled batch', () => {
  test('ends its open lookups free, in chunks or not, and keeps the others', async () => {
    const { load, cut, claim, answer, control, accountId, balance, summary, findings, drainFully } =
      await openBatchControls();
    const { batchId, publicId } = await load(30);
    const [first] = await cut(4, 3);
    await answer(await claim(first ?? { chunkId: 0, generation: 0 }));
    await control.cancel(accountId, publicId);
    expect(await drainFully(batchId)).toEqual({ kind: 'at_rest' });
    expect(await summary(publicId)).toMatchObject({
      state: 'cancelled',
      lookups: { found: 2, none: 2, cancelled: 26, open: 0, total: 30 },
      chargedMicro: 2n * price,
    });
    expect((await balance()).heldMicro).toBe(0n);
    expect(await findings()).toEqual([]);
    await control.cancel(accountId, publicId);
    expect(await drainFully(batchId)).toEqual({ kind: 'at_rest' });
  });

  test('may be paused before', async () => {
    const { load, cut, control, accountId, summary, findings, drainFully } = await openBatchControls();
    const { batchId, publicId } = await load(10);
    await cut(2, 2);
    await control.pause(accountId, publicId);
    await drainFully(batchId);
    await control.cancel(accountId, publicId);
    await drainFully(batchId);
    expect((await summary(publicId)).lookups.cancelled).toBe(10);
    expect(await findings()).toEqual([]);
  });

  test('is not continued by loading the same file, and rejects other transitions', async () => {
    const { load, control, accountId, drainFully } = await openBatchControls();
    const { batchId, publicId } = await load(3);
    await control.cancel(accountId, publicId);
    await drainFully(batchId);
    expect((await load(3)).publicId).not.toBe(publicId);
    await expect(control.resume(accountId, publicId, {})).rejects.toThrow(Conflict);
    await expect(control.pause(accountId, publicId)).rejects.toThrow(Conflict);
    await expect(control.retry(accountId, publicId, 'certain')).rejects.toThrow('for good');
  });
});

test('a batch cannot be controlled by another account', async () => {
  const { load, control, accountId } = await openBatchControls();
  const { publicId } = await load(3);
  for (const move of [control.pause, control.cancel]) {
    await expect(move(accountId + 1, publicId)).rejects.toThrow(NotFound);
  }
  await expect(control.resume(accountId + 1, publicId, {})).rejects.toThrow(NotFound);
  await expect(control.retry(accountId + 1, publicId, 'certain')).rejects.toThrow(NotFound);
});

describe('retry', () => {
  test('repeats failed lookups once each, and rows show the new outcomes', async () => {
    const { load, cut, claim, answer, fail, control, dispatch, accountId, summary, findings } =
      await openBatchControls();
    const { publicId } = await load(6);
    const [first, second, third] = await cut(2);
    for (const [chunk, end] of [
      [first, answer],
      [second, (claimed) => fail(claimed, 'source_unavailable')],
      [third, (claimed) => fail(claimed, 'in_doubt')],
    ] as const satisfies readonly (readonly [unknown, typeof answer])[]) {
      await end(await claim(chunk ?? { chunkId: 0, generation: 0 }));
    }
    await dispatch.finishBatches();
    const retried = await control.retry(accountId, publicId, 'certain');
    expect(retried).toMatchObject({ retried: 2, inDoubtLeft: 2 });
    expect(await summary(publicId)).toMatchObject({
      state: 'running',
      lookups: { total: 6, found: 1, none: 1, failed: 2, open: 2 },
    });
    expect(await findings()).toEqual([]);
    const again = await cut(2);
    expect(again).toHaveLength(1);
    for (const chunk of again) await answer(await claim(chunk));
    await dispatch.finishBatches();
    expect(await summary(publicId)).toMatchObject({
      state: 'finished',
      lookups: { total: 6, found: 2, none: 2, failed: 2, open: 0 },
      chargedMicro: 2n * price,
    });
    expect(await findings()).toEqual([]);
    expect(await control.retry(accountId, publicId, 'in_doubt')).toMatchObject({
      retried: 2,
      inDoubtLeft: 0,
    });
    expect(await findings()).toEqual([]);
  });

  test('of a running batch or one without failures changes nothing', async () => {
    const { load, cut, claim, answer, control, dispatch, accountId, summary } = await openBatchControls();
    const { publicId } = await load(2);
    await expect(control.retry(accountId, publicId, 'certain')).rejects.toThrow(Conflict);
    for (const chunk of await cut(2)) await answer(await claim(chunk));
    await dispatch.finishBatches();
    expect(await control.retry(accountId, publicId, 'certain')).toMatchObject({ retried: 0 });
    expect((await summary(publicId)).state).toBe('finished');
  });
});

describe('bound', () => {
  test('of rows admits the companies of the first rows, then pauses the batch; a larger bound resumes it', async () => {
    const { load, cut, claim, answer, dispatch, summary, findings } = await openBatchControls();
    const { publicId } = await load(10, { limitRows: 3, maxCreditsMicro: null });
    for (const chunk of await cut(2)) await answer(await claim(chunk));
    await dispatch.finishBatches();
    expect(await summary(publicId)).toMatchObject({
      state: 'paused',
      isLimitReached: true,
      lookups: { open: 7 },
    });
    expect(await findings()).toEqual([]);
    await load(10, { limitRows: 3, maxCreditsMicro: null });
    expect((await summary(publicId)).state).toBe('paused');
    expect((await load(10, { limitRows: 5, maxCreditsMicro: null })).publicId).toBe(publicId);
    expect((await summary(publicId)).state).toBe('running');
    for (const chunk of await cut(2)) await answer(await claim(chunk));
    await dispatch.finishBatches();
    expect(await summary(publicId)).toMatchObject({ state: 'paused', lookups: { open: 5 } });
    await load(10);
    for (const chunk of await cut(2)) await answer(await claim(chunk));
    await dispatch.finishBatches();
    expect((await summary(publicId)).state).toBe('finished');
    expect(await findings()).toEqual([]);
  });

  test('of rows is removed by resume, and a manual pause does not end by loading the file again', async () => {
    const { load, cut, claim, answer, control, accountId, dispatch, summary } = await openBatchControls();
    const { publicId } = await load(6, { limitRows: 2, maxCreditsMicro: null });
    for (const chunk of await cut(2)) await answer(await claim(chunk));
    await dispatch.finishBatches();
    await control.resume(accountId, publicId, {});
    expect(await summary(publicId)).toMatchObject({ state: 'running', bounds: { limitRows: null } });
    await control.pause(accountId, publicId);
    await load(6);
    expect((await summary(publicId)).state).toBe('paused');
  });

  test('of credits is never exceeded, and a larger one resumes the batch', async () => {
    const { load, cut, claim, answer, dispatch, summary, balance, control, accountId, findings } =
      await openBatchControls();
    const { publicId } = await load(20, { limitRows: null, maxCreditsMicro: 5n * price });
    // Half of the holds are released and held again, until the budget is charged completely.
    for (let round = 0; round < 12; round++) {
      expect((await balance()).heldMicro + (await summary(publicId)).chargedMicro).toBeLessThanOrEqual(
        5n * price,
      );
      for (const chunk of await cut(2)) await answer(await claim(chunk));
    }
    expect(await summary(publicId)).toMatchObject({ state: 'waiting_for_credits', chargedMicro: 5n * price });
    expect((await summary(publicId)).stateReason).toContain('--max-credits');
    expect(await dispatch.wakeBatches()).toBe(0);
    await control.resume(accountId, publicId, { maxCreditsMicro: 6n * price });
    for (let round = 0; round < 4; round++)
      for (const chunk of await cut(2)) await answer(await claim(chunk));
    expect((await summary(publicId)).chargedMicro).toBe(6n * price);
    expect(await findings()).toEqual([]);
  });
});

describe('small batch beside a large one', () => {
  test('comes directly after the chunks that run, and then they take turns', async () => {
    const { load, cut, claim, answer, findings } = await openBatchControls();
    await load(40, undefined, 'large');
    const queued = await cut(2, 10);
    expect(queued.map(({ turn }) => turn)).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900]);
    const running = await claimAll(claim, queued.slice(0, 2));
    const small = await load(6, undefined, 'small');
    // The window is full.
    const moved = await cut(2, 0);
    expect(moved.map(({ turn }) => turn)).toEqual([200, 300, 400, 500, 600, 700, 800, 900]);
    const names = (await claimAll(claim, moved)).map(({ batchId }) =>
      batchId === small.batchId ? 'small' : 'large',
    );
    expect(names).toEqual(['small', 'small', 'large', 'small', ...Array<string>(4).fill('large')]);
    for (const each of running) await answer(each);
    expect(await findings()).toEqual([]);
  });
});

/** Claims chunks in this order. */
async function claimAll<Chunk>(
  claim: (chunk: Chunk) => Promise<Claim>,
  chunks: readonly Chunk[],
): Promise<readonly Claim[]> {
  const claims: Claim[] = [];
  for (const chunk of chunks) claims.push(await claim(chunk));
  return claims;
}
