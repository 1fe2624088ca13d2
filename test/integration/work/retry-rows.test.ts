import { expect, test } from 'vitest';
import { ValidationError } from '../../../src/core/errors.ts';
import { openBatchControls } from '../../support/faults/steering.ts';

const price = 200_000n;

test('a retry of rows repeats their failed lookups only, and leaves those in doubt', async () => {
  const { load, cut, claim, fail, answer, dispatch, control, accountId, summary, findings } =
    await openBatchControls();
  const { batchId, publicId } = await load(40);
  const chunks = await cut(10);
  const reasons = ['source_unavailable', 'in_doubt', 'source_unavailable'];
  for (const [i, chunk] of chunks.entries()) {
    const claimed = await claim(chunk);
    const reason = reasons[i];
    await (reason === undefined ? answer(claimed) : fail(claimed, reason));
  }
  await dispatch.finishBatches();
  const rows = [
    { first: 9, last: 12 },
    { first: 30, last: 33 },
  ];
  const before = await summary(publicId);
  expect(await control.retry(accountId, publicId, 'certain', { rows, isDryRun: true })).toEqual({
    ...{ batchId, retried: 3, inDoubtLeft: 2, ceilingMicro: 3n * price },
  });
  expect(await summary(publicId)).toEqual(before);
  await expect(
    control.retry(accountId, publicId, 'certain', { rows: [{ first: 40, last: 41 }] }),
  ).rejects.toThrow(ValidationError);
  expect(await summary(publicId)).toEqual(before);

  expect(await control.retry(accountId, publicId, 'certain', { rows })).toMatchObject({ retried: 3 });
  expect(await summary(publicId)).toMatchObject({
    state: 'running',
    lookups: { total: 40, failed: 27, open: 3 },
  });
  expect(await findings()).toEqual([]);
  for (const chunk of await cut(10)) await answer(await claim(chunk));
  await dispatch.finishBatches();
  expect(await summary(publicId)).toMatchObject({
    state: 'finished',
    lookups: { total: 40, failed: 27, open: 0 },
  });
  expect(await control.retry(accountId, publicId, 'in_doubt', { rows })).toMatchObject({
    retried: 2,
    inDoubtLeft: 0,
  });
  expect(await findings()).toEqual([]);
});
