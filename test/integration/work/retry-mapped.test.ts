import { expect, test } from 'vitest';
import { createCompanyMappingStore } from '../../../db/stores/ads/company-mapping.ts';
import { createUnidentifiedStore } from '../../../db/stores/ads/unidentified.ts';
import { Conflict } from '../../../src/core/errors.ts';
import type { Claim } from '../../../src/core/work/claim.ts';
import { openTestDatabase } from '../../support/db/database.ts';
import { batchControlsOver } from '../../support/faults/steering.ts';

const here = { actor: 'cli', address: null };
const price = 200_000n;

async function fixture() {
  const database = await openTestDatabase();
  const controls = await batchControlsOver(database);
  const { accountId, outcomes, cut, claim, dispatch } = controls;
  const mappings = createCompanyMappingStore(database.app.sql);

  /** Ends every lookup of a claim as not identified. */
  const identifyNone = (claimed: Claim) =>
    outcomes.commit(
      claimed,
      claimed.lookups.map(({ lookupId }) => ({
        lookupId,
        source: 'upstream',
        answer: { kind: 'no_match' as const },
      })),
    );

  /** Runs everything that is open with this answer, and finishes the batch. */
  async function run(end: (claimed: Claim) => Promise<unknown>): Promise<number> {
    const chunks = await cut(2);
    for (const chunk of chunks) await end(await claim(chunk));
    await dispatch.finishBatches();
    return chunks.length;
  }

  return {
    database,
    ...controls,
    identifyNone,
    run,
    unidentified: createUnidentifiedStore(database.app.sql),
    map: (domain: string, role: 'allow' | 'deny' = 'allow') =>
      mappings.map(
        accountId,
        [{ companyKey: `d:${domain}`, advertiserId: 'google:AR1', role, note: null }],
        here,
      ),
    unmap: (domain: string) => mappings.remove(accountId, `d:${domain}`, null, here),
  };
}

test('a retry of mapped companies repeats those only, once each, and every count and invariant holds', async () => {
  const { load, run, identifyNone, answer, control, accountId, summary, findings, map, unmap, ...rest } =
    await fixture();
  const { batchId, publicId } = await load(4);
  await run(identifyNone);
  expect(await control.retry(accountId, publicId, 'certain')).toMatchObject({ retried: 0 });
  expect(await control.retry(accountId, publicId, 'mapped')).toMatchObject({ retried: 0 });

  await map('company-1.com');
  await map('company-2.com', 'deny');
  await map('company-3.com');
  await unmap('company-3.com');
  await map('elsewhere.com');
  expect(await rest.unidentified.count(batchId)).toEqual({ open: 2, mapped: 1, denied: 1 });
  expect(await control.retry(accountId, publicId, 'mapped')).toEqual({
    ...{ batchId, retried: 1, inDoubtLeft: 0, ceilingMicro: price },
  });
  expect(await summary(publicId)).toMatchObject({
    state: 'running',
    lookups: { total: 4, no_match: 3, failed: 0, open: 1 },
  });
  expect(await findings()).toEqual([]);
  await expect(control.retry(accountId, publicId, 'mapped')).rejects.toThrow(Conflict);

  expect(await run(answer)).toBe(1);
  expect(await summary(publicId)).toMatchObject({
    state: 'finished',
    lookups: { total: 4, found: 1, no_match: 3, failed: 0, open: 0 },
    chargedMicro: price,
  });
  expect(await control.retry(accountId, publicId, 'mapped')).toMatchObject({ retried: 0 });
  expect(await findings()).toEqual([]);
  const { rows } = await rest.database.owner.pool.query<{ payload: { outcomes: object } }>(
    'SELECT nightshift.batch_event_payload(b) AS payload FROM nightshift.batches b WHERE id = $1',
    [batchId],
  );
  expect(rows[0]?.payload.outcomes).toMatchObject({ total: 4, found: 1, no_match: 3, failed: 0, open: 0 });
});

test('a company that stays unidentified is repeated again only after its mapping changes again', async () => {
  const { load, run, identifyNone, fail, control, accountId, summary, findings, map } = await fixture();
  const { publicId } = await load(1);
  await run(identifyNone);
  const retry = async () => (await control.retry(accountId, publicId, 'mapped')).retried;
  await map('company-1.com');
  expect(await retry()).toBe(1);
  await run(identifyNone);
  expect(await retry()).toBe(0);
  await map('company-1.com');
  expect(await retry()).toBe(1);
  await run((claimed) => fail(claimed, 'source_unavailable'));
  expect(await summary(publicId)).toMatchObject({ lookups: { total: 1, no_match: 0, failed: 1, open: 0 } });
  expect(await retry()).toBe(0);
  expect(await control.retry(accountId, publicId, 'certain')).toMatchObject({ retried: 1 });
  await run(identifyNone);
  expect(await summary(publicId)).toMatchObject({ lookups: { total: 1, no_match: 1, failed: 0, open: 0 } });
  expect(await findings()).toEqual([]);
});

test('the batch of a scan rejects a retry of mapped companies with the remedy', async () => {
  const { load, run, identifyNone, control, accountId, map, database } = await fixture();
  const { batchId, publicId } = await load(1);
  await run(identifyNone);
  await map('company-1.com');
  await database.owner.pool.query('ALTER TABLE nightshift.scans DISABLE TRIGGER ALL');
  await database.owner.pool.query(
    `INSERT INTO nightshift.scans (public_id, account_id, schedule_id, due_at, cause, state, batch_id, begun_at, finished_at)
      VALUES ('scan_1', $1, 1, now(), 'tick', 'finished', $2, now(), now())`,
    [accountId, batchId],
  );
  await expect(control.retry(accountId, publicId, 'mapped')).rejects.toThrow(
    `${publicId} is a scan of a schedule. The next scan of the schedule uses the mapping.`,
  );
});

test('a lookup counted as replaced without its successor is a finding', async () => {
  const { load, run, identifyNone, findings, database } = await fixture();
  const { batchId } = await load(2);
  await run(identifyNone);
  await database.owner.pool.query(
    'UPDATE nightshift.batches SET retried = 1, retried_no_match = 1 WHERE id = $1',
    [batchId],
  );
  expect(await findings()).toContainEqual(
    expect.stringMatching(/says 1 lookups without an identified company were retried; 0 were/),
  );
});
