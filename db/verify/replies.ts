import { sql } from 'drizzle-orm';
import { notApplicable, type InvariantReport } from '../../src/core/verify/invariants.ts';
import type { Sql } from '../connection/client.ts';
import { idempotencyKeys } from '../schema/access.ts';
import { countOf, credits, evaluate, type Clause } from './clause.ts';

/** Invariant 7. That a key has one answer is its primary key; what is looked at here is that the answer tells what happened. */
export async function checkReplies(db: Sql): Promise<InvariantReport> {
  const [any] = await db.select({ key: idempotencyKeys.key }).from(idempotencyKeys).limit(1);
  if (any === undefined) return notApplicable(7, 'No request has carried an Idempotency-Key lately.');
  return evaluate(db, 7, [repliesTellTheCharge, repliesHaveTheirLookup]);
}

/**
 * Answers to searches that are kept, with what they say was charged. As text, because jsonb does not take every JSON (NUL); in a
 * CASE, because a sealed body is no text. Within a value the quotes of such a field would stand behind backslashes.
 */
const kept = sql`SELECT k.account_id, k.request_id,
    round(substring(k.body FROM '"credits_consumed":([0-9.]+)')::numeric * 1000000) AS said
  FROM (
    SELECT account_id, request_id,
      CASE WHEN status = 200 AND NOT headers ? 'sealed' THEN convert_from(body, 'UTF8') END AS body
    FROM nightshift.idempotency_keys
  ) k
  WHERE k.body LIKE '%"ads_count":%'`;

const repliesTellTheCharge: Clause = {
  checked: countOf(sql`nightshift.idempotency_keys`),
  broken: sql`SELECT format('the answer kept for request %s says that it cost %s; its lookup %s cost %s', r.request_id,
        ${credits(sql`r.said`)}, l.id, ${credits(sql`l.charged_micro`)}) AS finding
    FROM (${kept}) r JOIN nightshift.lookups l ON l.request_id = r.request_id
    WHERE r.said <> l.charged_micro OR l.account_id <> r.account_id OR l.outcome IS NULL`,
};

const repliesHaveTheirLookup: Clause = {
  checked: null,
  broken: sql`SELECT format('the answer kept for request %s has no lookup', r.request_id) AS finding
    FROM (${kept}) r LEFT JOIN nightshift.lookups l ON l.request_id = r.request_id WHERE l.id IS NULL`,
};
