import { sql } from 'drizzle-orm';
import { notApplicable, type InvariantReport } from '../../src/core/reports/invariants.ts';
import type { Sql } from '../connection/client.ts';
import { idempotencyKeys } from '../schema/access.ts';
import { countOf, credits, evaluate, type Clause } from './clause.ts';

/** Invariant 7. The primary key ensures one response per key; this checks that the response matches the stored results. */
export async function checkReplies(db: Sql): Promise<InvariantReport> {
  const [any] = await db.select({ key: idempotencyKeys.key }).from(idempotencyKeys).limit(1);
  if (any === undefined) return notApplicable(7, 'No request has carried an Idempotency-Key lately.');
  return evaluate(db, 7, [repliesTellTheCharge, repliesHaveTheirLookup]);
}

/**
 * Stored responses to searches, with the charge that they state. As text, because jsonb does not accept all JSON (NUL); in a
 * CASE, because an encrypted body is not text. Within a value, the quotes of such a field would be escaped.
 */
const kept = sql`SELECT k.account_id, k.request_id,
    round(substring(k.body FROM '"credits_consumed":([0-9.]+)')::numeric * 1000000) AS said
  FROM (
    SELECT account_id, request_id,
      CASE WHEN status = 200 AND NOT headers ? 'sealed' THEN convert_from(body, 'UTF8') END AS body
    FROM nightshift.idempotency_keys
  ) k
  WHERE k.body LIKE '%"ads_count":%'`;

/** By index, whatever the statistics say. A lookup of a request never waits in a block. */
const lookupOfRequest = sql`LEFT JOIN LATERAL (SELECT * FROM nightshift.lookups o WHERE o.request_id = r.request_id OFFSET 0) l ON true`;

const repliesTellTheCharge: Clause = {
  checked: countOf(sql`nightshift.idempotency_keys`),
  broken: sql`SELECT format('the answer kept for request %s says that it cost %s; its lookup %s cost %s', r.request_id,
        ${credits(sql`r.said`)}, l.id, ${credits(sql`l.charged_micro`)}) AS finding
    FROM (${kept}) r ${lookupOfRequest}
    WHERE r.said <> l.charged_micro OR l.account_id <> r.account_id OR l.outcome IS NULL`,
};

const repliesHaveTheirLookup: Clause = {
  checked: null,
  broken: sql`SELECT format('the answer kept for request %s has no lookup', r.request_id) AS finding
    FROM (${kept}) r ${lookupOfRequest} WHERE l.id IS NULL
      AND r.request_id NOT IN (SELECT p.request_id FROM nightshift.purged_chunks p WHERE p.request_id IS NOT NULL)`,
};
