import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { RequestStore, SearchRequest, StoredAnswer } from '../../src/core/ads/search-ads.ts';
import { formatCredits } from '../../src/core/credits/credits.ts';
import { InsufficientCredits, LeaseLost, NotFound } from '../../src/core/errors.ts';
import type { KeptAnswer } from '../../src/core/idempotency.ts';
import type { AdsOutcome, LookupResult } from '../../src/core/outcomes.ts';
import type { Claim } from '../../src/core/work/claim.ts';
import { withDatabase, type Sql } from '../client.ts';
import { keepAnswer } from './kept-replies.ts';
import { reserveCredits } from './ledger.ts';
import { commitResults } from './outcomes.ts';
import { priceNowSql } from './price-book.ts';
import { readAdsOf } from './read-ads.ts';

/** Single searches: a lookup and a chunk of one each, claimed by the caller and never queued. */
export function createRequestStore(db: NodePgDatabase): RequestStore {
  return {
    open: (request, leaseMs) =>
      withDatabase(() => db.transaction((transaction) => openRequest(transaction, request, leaseMs))),
    answer: (claim, result, kept) =>
      withDatabase(() => db.transaction((transaction) => answerRequest(transaction, claim, result, kept))),
  };
}

/** The hold comes last: it locks the account, and everybody else who spends from it waits from there to the COMMIT. */
async function openRequest(db: Sql, request: SearchRequest, leaseMs: number): Promise<Claim> {
  const claim = await insertClaimed(db, request, leaseMs);
  const holds = claim.lookups.map(({ lookupId }) => ({
    lookupId,
    attempt: 1,
    amountMicro: claim.priceMicro,
  }));
  const [status] = await reserveCredits(db, claim.accountId, holds);
  if (status === 'insufficient') {
    throw new InsufficientCredits(
      `The balance is below the price of a find (${formatCredits(claim.priceMicro)} credits); nothing was looked up. ` +
        'Add credits with `nightshift credits grant AMOUNT --reason TEXT`.',
    );
  }
  return claim;
}

/** A lookup and its chunk at the price of this moment. What would be read of them is known: they are new. */
async function insertClaimed(db: Sql, request: SearchRequest, leaseMs: number): Promise<Claim> {
  const { accountId, requestId, company, sources } = request;
  const inserted = await db.execute<{ id: string; token: string; price_micro: string; lookup_id: string }>(
    sql`WITH l AS (
        INSERT INTO nightshift.lookups (id, account_id, request_id, operation, subject_key, company_domain, company_name)
        VALUES (nextval('nightshift.lookup_id_blocks'), ${accountId}, ${requestId}, 'ads_search', ${company.key},
          ${company.domain}, ${company.name})
        RETURNING id
      )
      INSERT INTO nightshift.chunks (account_id, first_lookup_id, last_lookup_id, lookups, state, starts, token, lease_until,
        price_micro)
      SELECT ${accountId}, id, id, 1, 'running', 1, gen_random_uuid(), now() + ${leaseMs} * interval '1 millisecond',
        (${priceNowSql('ads_search')})
      FROM l
      RETURNING id, token, price_micro, first_lookup_id AS lookup_id`,
  );
  const [row] = inserted.rows;
  if (row === undefined) throw new Error('A chunk was inserted and not answered.');
  const lookupId = BigInt(row.lookup_id);
  return {
    chunkId: Number(row.id),
    generation: 1,
    token: row.token,
    accountId,
    batchId: null,
    priceMicro: BigInt(row.price_micro),
    attempt: 1,
    sources,
    lookups: [{ lookupId, company, requestKey: `${requestId}-${lookupId}`, tries: 0, earlier: new Map() }],
  };
}

async function answerRequest(
  db: Sql,
  claim: Claim,
  result: LookupResult,
  kept: KeptAnswer<StoredAnswer> | null,
): Promise<StoredAnswer> {
  let answer: StoredAnswer | undefined;
  await commitResults(db, claim, [result], async () => {
    answer = await readAnswer(db, result.lookupId);
    await keepAnswer(db, kept, answer);
  });
  if (answer === undefined) throw new LeaseLost(`Lookup ${result.lookupId} has ended otherwise by now.`);
  return answer;
}

async function readAnswer(db: Sql, lookupId: bigint): Promise<StoredAnswer> {
  const found = await db.execute<{
    subject_key: string;
    company_domain: string | null;
    company_name: string | null;
    outcome: AdsOutcome | null;
    reason: string | null;
    source: string | null;
    matched_by: string | null;
    charged_micro: string;
  }>(
    sql`SELECT subject_key, company_domain, company_name, outcome, reason, source, matched_by, charged_micro
      FROM nightshift.lookups WHERE id = ${lookupId}`,
  );
  const [row] = found.rows;
  if (row === undefined || row.outcome === null) throw new NotFound(`Lookup ${lookupId} has no answer.`);
  return {
    lookupId,
    company: { key: row.subject_key, domain: row.company_domain, name: row.company_name },
    outcome: row.outcome,
    reason: row.reason,
    source: row.source,
    matchedBy: row.matched_by,
    ads: (await readAdsOf(db, [lookupId])).get(lookupId) ?? [],
    chargedMicro: BigInt(row.charged_micro),
  };
}
