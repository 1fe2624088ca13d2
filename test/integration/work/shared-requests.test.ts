import { describe, expect, test } from 'vitest';
import { createLedger } from '../../../db/stores/credits/ledger.ts';
import { createIdempotencyStore } from '../../../db/stores/accounts/stored-responses.ts';
import { createRequestStore } from '../../../db/stores/work/requests.ts';
import { createWorkStore } from '../../../db/stores/work/work.ts';
import { anySearch } from '../../../src/core/ads/ads-answer.ts';
import { InsufficientCredits } from '../../../src/core/errors.ts';
import type { StoredAnswer } from '../../../src/core/sources/search-ads.ts';
import type { AdsClaim } from '../../../src/core/work/claim.ts';
import { found } from '../../support/db/fixture.ts';
import { openTestDatabase, openTestPool, type TestDatabase } from '../../support/db/database.ts';
import { listFindings } from '../../support/db/findings.ts';

type Requests = ReturnType<typeof createRequestStore>;

const price = 200_000n;
const leaseMs = 60_000;

describe('concurrent requests of three accounts', () => {
  /** Credits for so many results. The last one has some left over that buy nothing. */
  const affordable = [5, 30, 11];

  test('succeed exactly as far as the credits of each account suffice', async () => {
    const database = await openTestDatabase();
    const accountIds = await Promise.all(
      affordable.map((results, i) =>
        openAccount(database, `account ${i}`, BigInt(results) * price + BigInt(i)),
      ),
    );
    const requests = openRequestStore(database);
    const ends = await Promise.allSettled(
      Array.from({ length: 64 }, async (_, n) => {
        const claim = await open(requests, n, accountIds[n % 3]);
        return answer(requests, claim, n);
      }),
    );
    const rejected = ends.flatMap((end): unknown[] => (end.status === 'rejected' ? [end.reason] : []));
    expect(rejected.every((reason) => reason instanceof InsufficientCredits)).toBe(true);
    // Of 64 requests, 22 and 21 are of the first two accounts.
    expect(ends.length - rejected.length).toBe(5 + 21 + 11);
    const balances = await Promise.all(
      accountIds.map((id) => createLedger(database.app.sql).readBalance(id)),
    );
    expect(balances).toEqual([
      { balanceMicro: 0n, heldMicro: 0n },
      { balanceMicro: 9n * price + 1n, heldMicro: 0n },
      { balanceMicro: 2n, heldMicro: 0n },
    ]);
    expect(await listFindings(database)).toEqual([]);
  });

  test('of two processes, with their renewals, do not deadlock', async () => {
    const database = await openTestDatabase();
    const accountIds = await Promise.all(
      [1, 2, 3].map((n) => openAccount(database, `account ${n}`, 10n ** 12n)),
    );
    const processes = [openRequestStore(database), openRequestStore(database)] as const;
    const work = createWorkStore(database.app.sql);
    const tokens = new Set<string>();
    const errors: unknown[] = [];
    const state = { isOver: false };
    const renewing = (async () => {
      while (!state.isOver) await work.renew([...tokens].reverse(), leaseMs);
    })().catch((error: unknown) => errors.push(error));
    await Promise.all(
      Array.from({ length: 32 }, async (_, client) => {
        for (let turn = 0; turn < 8; turn += 1) {
          const requests = processes[client % 2] ?? processes[0];
          const claim = await open(requests, client * 100 + turn, accountIds[(client + turn) % 3]);
          tokens.add(claim.token);
          await answer(requests, claim, client);
          tokens.delete(claim.token);
        }
      }),
    );
    state.isOver = true;
    await renewing;
    expect(errors).toEqual([]);
    expect(await listFindings(database)).toEqual([]);
  });
});

test('concurrent requests of different prices are insufficient only beyond the balance', async () => {
  const database = await openTestDatabase();
  const accountId = await openAccount(database, 'mixed', price - 1n);
  const prices = `INSERT INTO nightshift.prices (operation, amount_micro, note)
    VALUES ('email_validation', 1000, 'test')`;
  await database.owner.pool.query(prices);
  const requests = openRequestStore(database);
  const address = { key: 'e:a@b.test', email: 'a@b.test' };
  const ends = await Promise.allSettled([
    open(requests, 1, accountId),
    requests.openValidation({ accountId, address, requestId: 'req_2' }, leaseMs),
  ]);
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});

describe('a shared commit', () => {
  test('fails only the request that has lost its lease', async () => {
    const { database, requests, claims } = await openClaims(8);
    const [lost] = claims;
    await database.owner.pool.query('UPDATE nightshift.chunks SET token = gen_random_uuid() WHERE id = $1', [
      lost?.chunkId,
    ]);
    const ends = await Promise.allSettled(claims.map((claim, n) => answer(requests, claim, n)));
    expect(ends.map(({ status }) => status)).toEqual(['rejected', ...Array<string>(7).fill('fulfilled')]);
    expect(ends[0]).toMatchObject({ reason: { code: 'lease_lost' } });
    expect(await countEnded(database)).toBe(7);
    expect(await countCharges(database)).toBe(7);
  });

  test('fails only the request whose answer cannot be stored', async () => {
    const { database, requests, claims } = await openClaims(4);
    const good = found(['cr-1']);
    const ads = good.kind === 'found' ? good.ads.map((ad) => ({ ...ad, lastSeen: 'no day' })) : [];
    const unstorable = { kind: 'found', ads, matchedBy: 'domain' } as const;
    const ends = await Promise.allSettled(
      claims.map((claim, n) =>
        n === 2 ? requests.answer(claim, resultOf(claim, unstorable), null) : answer(requests, claim, n),
      ),
    );
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(await countEnded(database)).toBe(3);
  });

  test('fails only the request whose idempotency key was taken over', async () => {
    const { database, requests, claims, accountId } = await openClaims(4);
    const keys = createIdempotencyStore(database.app.sql);
    const replies = await Promise.all(
      claims.map(async (_, n) => {
        const asked = {
          accountId,
          key: `key-${n}`,
          requestId: `req_${n}`,
          fingerprint: Buffer.alloc(32, n),
          leaseMs,
        };
        const claimed = await keys.claim(asked);
        if (claimed.kind !== 'claimed') throw new Error(`The key is ${claimed.kind}.`);
        return { asked, claim: claimed.claim, toReply };
      }),
    );
    await database.owner.pool.query(
      `UPDATE nightshift.idempotency_keys SET token = gen_random_uuid() WHERE key = 'key-1'`,
    );
    const ends = await Promise.allSettled(
      claims.map((claim, n) => requests.answer(claim, resultOf(claim, found(['cr-1'])), replies[n] ?? null)),
    );
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(await countCharges(database)).toBe(3);
    for (const n of [0, 2, 3]) {
      const asked = replies[n]?.asked;
      if (asked === undefined) throw new Error('There is no key.');
      const end = ends[n];
      const value = end?.status === 'fulfilled' ? end.value : null;
      expect(await keys.claim(asked)).toEqual({
        kind: 'replay',
        reply: value === null ? null : toReply(value),
      });
    }
  });

  test('is one transaction for all of its requests', async () => {
    const { database, requests, claims } = await openClaims(8);
    await Promise.all(claims.map((claim, n) => answer(requests, claim, n)));
    const { rows } = await database.owner.pool.query<{ n: number }>(
      'SELECT count(DISTINCT xmin::text)::integer AS n FROM nightshift.lookups',
    );
    expect(rows).toEqual([{ n: 1 }]);
    expect(await listFindings(database)).toEqual([]);
  });
});

test('requests that are opened together have their holds in one block of the ledger per account', async () => {
  const database = await openTestDatabase();
  const accountIds = await Promise.all(
    ['one', 'other'].map((name) => openAccount(database, name, 1_000_000_000n)),
  );
  const requests = openRequestStore(database);
  await Promise.all(Array.from({ length: 12 }, (_, n) => open(requests, n, accountIds[n % 2])));
  const { rows } = await database.owner.pool.query<{ movements: number }>(
    `SELECT (to_seq - from_seq + 1)::integer AS movements FROM nightshift.ledger_blocks WHERE phase = 0`,
  );
  expect(rows).toEqual([{ movements: 6 }, { movements: 6 }]);
  expect(await listFindings(database)).toEqual([]);
});

test('a commit is rolled back when the ledger has another end of one of its holds', async () => {
  const { database, requests, claims, accountId } = await openClaims(1);
  const [claim] = claims;
  if (claim === undefined) throw new Error('There is no claim.');
  const [lookup] = claim.lookups;
  await createLedger(database.app.sql).resolve(accountId, [
    { lookupId: lookup?.lookupId ?? 0n, attempt: 1, amountMicro: 1n },
  ]);
  await expect(answer(requests, claim, 0)).rejects.toMatchObject({
    cause: { message: expect.stringContaining('The ledger answered {mismatch}') as unknown },
  });
  expect(await countEnded(database)).toBe(0);
});

async function openAccount(database: TestDatabase, name: string, amountMicro: bigint): Promise<number> {
  const { rows } = await database.owner.pool.query<{ id: string }>(
    'SELECT nightshift.create_account($1) AS id',
    [name],
  );
  const accountId = Number(rows[0]?.id);
  await createLedger(database.app.sql).grant(accountId, [{ key: null, amountMicro, reason: 'test' }]);
  return accountId;
}

/** On connections as the product has them for requests. */
function openRequestStore(database: TestDatabase): Requests {
  return createRequestStore(openTestPool(database.url, { isForRequests: true }).sql);
}

async function openClaims(count: number) {
  const database = await openTestDatabase();
  const accountId = await openAccount(database, 'requests', 1_000_000_000n);
  const requests = openRequestStore(database);
  const claims = await Promise.all(Array.from({ length: count }, (_, n) => open(requests, n, accountId)));
  return { database, requests, claims, accountId };
}

function open(requests: Requests, n: number, accountId: number | undefined): Promise<AdsClaim> {
  if (accountId === undefined) throw new Error('There is no account.');
  const company = { key: `d:company-${n}.com`, domain: `company-${n}.com`, name: null };
  const asked = { accountId, company, sources: ['upstream'], search: anySearch, via: [] };
  return requests.open({ ...asked, requestId: `req_${n}` }, leaseMs);
}

function answer(requests: Requests, claim: AdsClaim, n: number): Promise<StoredAnswer> {
  return requests.answer(claim, resultOf(claim, found([`cr-${n}`])), null);
}

function resultOf(claim: AdsClaim, given: ReturnType<typeof found>) {
  const [lookup] = claim.lookups;
  if (lookup === undefined) throw new Error('The claim has no lookup.');
  return { lookupId: lookup.lookupId, source: 'upstream', answer: given };
}

function toReply({ lookupId, ads }: StoredAnswer) {
  return {
    status: 200,
    headers: { 'content-type': 'text/plain' },
    body: Buffer.from(`${lookupId} ${ads.length} "\\`),
  };
}

async function countEnded(database: TestDatabase): Promise<number> {
  const { rows } = await database.owner.pool.query<{ n: number }>(
    'SELECT count(outcome)::integer AS n FROM nightshift.lookups',
  );
  return rows[0]?.n ?? 0;
}

async function countCharges(database: TestDatabase): Promise<number> {
  const { rows } = await database.owner.pool.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM nightshift.ledger_entries WHERE kind = 'settle'`,
  );
  return rows[0]?.n ?? 0;
}
