import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { RequestStore, SearchRequest, StoredAnswer } from '../../src/core/ads/search-ads.ts';
import { formatCredits } from '../../src/core/credits/credits.ts';
import { InsufficientCredits, NotFound } from '../../src/core/errors.ts';
import type { AdsOutcome } from '../../src/core/outcomes.ts';
import type { Claim } from '../../src/core/work/claim.ts';
import { withDatabase, type Sql } from '../client.ts';
import { keepAnswer } from './kept-replies.ts';
import { reserveCredits } from './ledger.ts';
import { commitResults } from './outcomes.ts';
import { priceNow } from './price-book.ts';
import { readAdsOf } from './read-ads.ts';
import { toClaim, type TakenChunk } from './work.ts';

/** Single searches: a lookup and a chunk of one each, claimed by the caller and never queued. */
export function createRequestStore(db: NodePgDatabase): RequestStore {
  return {
    open: (request, leaseMs) =>
      withDatabase(() => db.transaction((transaction) => openRequest(transaction, request, leaseMs))),
    answer: (claim, result, kept) =>
      withDatabase(() =>
        db.transaction(async (transaction) => {
          await commitResults(transaction, claim, [result]);
          const answer = await readAnswer(transaction, result.lookupId);
          await keepAnswer(transaction, kept, answer);
          return answer;
        }),
      ),
  };
}

async function openRequest(db: Sql, request: SearchRequest, leaseMs: number): Promise<Claim> {
  const { accountId, sources } = request;
  const lookupId = await insertLookup(db, request);
  const priceMicro = await priceNow(db, 'ads_search');
  const [status] = await reserveCredits(db, accountId, [{ lookupId, attempt: 1, amountMicro: priceMicro }]);
  if (status === 'insufficient') {
    throw new InsufficientCredits(
      `The balance is below the price of a find (${formatCredits(priceMicro)} credits); nothing was looked up. ` +
        'Add credits with `nightshift credits grant AMOUNT --reason TEXT`.',
    );
  }
  const chunk = await db.execute<TakenChunk>(
    sql`INSERT INTO nightshift.chunks (account_id, first_lookup_id, last_lookup_id, lookups, state, starts, token,
        lease_until, price_micro)
      VALUES (${accountId}, ${lookupId}, ${lookupId}, 1, 'running', 1, gen_random_uuid(),
        now() + ${leaseMs} * interval '1 millisecond', ${priceMicro})
      RETURNING *`,
  );
  const [row] = chunk.rows;
  if (row === undefined) throw new Error('A chunk was inserted and not answered.');
  return toClaim(db, row, sources);
}

async function insertLookup(db: Sql, { accountId, requestId, company }: SearchRequest): Promise<bigint> {
  const inserted = await db.execute<{ id: string }>(
    sql`INSERT INTO nightshift.lookups (id, account_id, request_id, operation, subject_key, company_domain, company_name)
      VALUES (nextval('nightshift.lookup_id_blocks'), ${accountId}, ${requestId}, 'ads_search',
        ${company.key}, ${company.domain}, ${company.name})
      RETURNING id`,
  );
  return BigInt(inserted.rows[0]?.id ?? 0);
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
