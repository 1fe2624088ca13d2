import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { RequestStore, SearchRequest, StoredAnswer } from '../../src/core/ads/search-ads.ts';
import { formatCredits } from '../../src/core/credits/credits.ts';
import { chargeFor } from '../../src/core/credits/price-book.ts';
import { InsufficientCredits, LeaseLost } from '../../src/core/errors.ts';
import type { KeptAnswer } from '../../src/core/idempotency.ts';
import type { LookupResult } from '../../src/core/outcomes.ts';
import type { Claim } from '../../src/core/work/claim.ts';
import { withDatabase, type Sql } from '../client.ts';
import { keepAnswer } from './kept-replies.ts';
import { commitResults, type LookupEnd } from './outcomes.ts';
import { readAdsOf } from './read-ads.ts';

/** Single searches: a lookup and a chunk of one each, claimed by the caller and never queued. */
export function createRequestStore(db: NodePgDatabase): RequestStore {
  return {
    open: (request, leaseMs) => withDatabase(() => openRequest(db, request, leaseMs)),
    answer: (claim, result, kept) =>
      withDatabase(() => db.transaction((transaction) => answerRequest(transaction, claim, result, kept))),
  };
}

/** One round trip; see `db/migrations/0011_open_request.sql`. What a claim would read of the lookup is known: it is new. */
async function openRequest(db: Sql, request: SearchRequest, leaseMs: number): Promise<Claim> {
  const { accountId, requestId, company, sources } = request;
  const opened = await db.execute<{
    chunk_id: string;
    token: string;
    lookup_id: string | null;
    price_micro: string;
  }>(
    sql`SELECT chunk_id, token, lookup_id, price_micro FROM nightshift.open_request(${accountId}, ${requestId}, ${company.key},
      ${company.domain}, ${company.name}, ${Math.ceil(leaseMs)})`,
  );
  const [row] = opened.rows;
  if (row === undefined) throw new Error('A search was opened and not answered.');
  const priceMicro = BigInt(row.price_micro);
  if (row.lookup_id === null) {
    throw new InsufficientCredits(
      `The balance is below the price of a find (${formatCredits(priceMicro)} credits); nothing was looked up. ` +
        'Add credits with `nightshift credits grant AMOUNT --reason TEXT`.',
    );
  }
  const lookupId = BigInt(row.lookup_id);
  return {
    chunkId: Number(row.chunk_id),
    generation: 1,
    token: row.token,
    accountId,
    batchId: null,
    priceMicro,
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
  await commitResults(db, claim, [result], async ([end]) => {
    if (end === undefined) return;
    answer = await readAnswer(db, claim, end);
    await keepAnswer(db, kept, answer);
  });
  if (answer === undefined) throw new LeaseLost(`Lookup ${result.lookupId} has ended otherwise by now.`);
  return answer;
}

/** As it was written down a moment ago, with the ads as the store has them. */
async function readAnswer(
  db: Sql,
  { lookups, priceMicro }: Claim,
  { lookupId, outcome, reason, source, matchedBy }: LookupEnd,
): Promise<StoredAnswer> {
  const lookup = lookups.find((each) => each.lookupId === lookupId);
  if (lookup === undefined) throw new Error(`Lookup ${lookupId} is not of this claim.`);
  return {
    lookupId,
    company: lookup.company,
    outcome,
    reason,
    source,
    matchedBy,
    ads: (await readAdsOf(db, [lookupId])).get(lookupId) ?? [],
    chargedMicro: chargeFor(outcome, priceMicro),
  };
}
