import assert from 'node:assert/strict';
import { sql, type SQL } from 'drizzle-orm';
import { chargeFor } from '../../../src/core/credits/price-book.ts';
import type { Extent } from '../../../src/core/ads/ads-answer.ts';
import type { EmailStatus } from '../../../src/core/emails/verdict/verdict.ts';
import type { Outcome } from '../../../src/core/work/outcomes.ts';
import type { Claim } from '../../../src/core/work/claim.ts';
import type { Sql } from '../../connection/client.ts';
import { notifySql } from '../../connection/notifier.ts';
import type { GivenAnswer } from '../ads/store-answers.ts';
import { bigints, booleans, ints, texts } from '../sql/arrays.ts';
import { addCountsSql, countsSql, endedNowSql, endedSql } from '../sql/chunk-counts.ts';
import { lockedSubjectsSql, type LookupRange } from '../sql/open-lookups.ts';

/** Outcome of a lookup as it is stored. */
export interface StoredOutcome {
  readonly claim: Claim;
  readonly lookupId: bigint;
  readonly outcome: Outcome;
  /** Verdict of an address. */
  readonly emailStatus: EmailStatus | null;
  readonly reason: string | null;
  readonly source: string | null;
  readonly matchedBy: string | null;
  /** The answer with its ads; null without any. */
  readonly given: GivenAnswer | null;
  readonly extent: Extent;
  /** The lookup whose answer is reused, and the time of that answer. */
  readonly repeats: bigint | null;
  readonly observedAt: Date | null;
  /** Answers of all sources, as JSON; null where source and outcome imply them. */
  readonly asked: string | null;
}

/**
 * Writes the outcomes and counts them in their chunks. The last one of a chunk completes it and notifies the dispatcher.
 *
 * `matchesSql` stores the evaluations that the lookups refer to (`insertMatchesSql`).
 *
 * A lookup that waits in a block gets its row, once and for good; one that has a row is updated. Guarded by `lockOpen`, by the primary key and
 * by the trigger `outcome_is_final`, not by a condition of its own: statistics from a moment when every lookup had ended make
 * `outcome IS NULL` look like one row, and the join a loop over all of them (measured: 3 s for a chunk instead of 10 ms).
 */
export async function writeOutcomes(
  db: Sql,
  outcomes: readonly StoredOutcome[],
  begun: ReadonlySet<bigint>,
  matchesSql: SQL | null = null,
): Promise<void> {
  const isDone = sql`${endedSql} + c.moved_on + e.all_of = c.lookups`;
  const chunkIds = [...new Set(outcomes.map(({ claim }) => claim.chunkId))];
  const nothing = sql`SELECT NULL::bigint AS id WHERE false`;
  const written = await db.execute<{ ended: number }>(
    sql`WITH e AS (${endsSql(outcomes, begun)}),${matchesSql === null ? sql`` : sql` matched AS (${matchesSql}),`}
      ended AS (
        ${begun.size < outcomes.length ? insertSql(outcomes.filter(({ lookupId }) => !begun.has(lookupId))) : nothing}
      ), updated AS (
        ${begun.size > 0 ? updateSql : nothing}
      ), counts AS (
        SELECT chunk_id, count(*)::integer AS all_of, ${countsSql}, sum(charged_micro)::bigint AS charged_micro
        FROM (SELECT e.chunk_id, coalesce(e.email_status, e.outcome) AS "end", e.charged_micro FROM e) s GROUP BY chunk_id
      ), counted AS (
        UPDATE nightshift.chunks c SET ${addCountsSql}, charged_micro = c.charged_micro + e.charged_micro, ${endedNowSql},
          state = CASE WHEN ${isDone} THEN 'done' ELSE c.state END,
          token = CASE WHEN ${isDone} THEN NULL ELSE c.token END,
          lease_until = CASE WHEN ${isDone} THEN NULL ELSE c.lease_until END
        FROM counts e WHERE c.id = e.chunk_id AND c.id = ANY (${bigints(chunkIds)})
        RETURNING e.all_of, c.state, c.batch_id
      )
      SELECT (SELECT count(*) FROM ended)::integer + (SELECT count(*) FROM updated)::integer AS ended,
        CASE WHEN (SELECT bool_or(state = 'done' AND batch_id IS NOT NULL) FROM counted) THEN ${notifySql} END`,
  );
  assert.equal(written.rows[0]?.ended, outcomes.length, 'A lookup was deleted while its chunk was locked.');
}

function endsSql(outcomes: readonly StoredOutcome[], begun: ReadonlySet<bigint>): SQL {
  return sql`SELECT * FROM unnest(${bigints(outcomes.map((stored) => stored.lookupId))}, ${texts(outcomes.map((stored) => stored.outcome))},
      ${texts(outcomes.map((stored) => stored.reason))}, ${texts(outcomes.map((stored) => stored.source))},
      ${texts(outcomes.map((stored) => stored.matchedBy))}, ${ints(outcomes.map(({ given }) => given?.ads ?? 0))},
      ${bigints(outcomes.map((stored) => chargeFor(stored, stored.claim.priceMicro)))}, ${texts(outcomes.map((stored) => stored.emailStatus))},
      ${texts(outcomes.map((stored) => stored.asked))}, ${booleans(outcomes.map(({ extent }) => extent.partial))},
      ${booleans(outcomes.map(({ extent }) => extent.truncated))}, ${bigints(outcomes.map(({ extent }) => extent.estimate?.low ?? null))},
      ${bigints(outcomes.map(({ extent }) => extent.estimate?.high ?? null))}, ${bigints(outcomes.map((stored) => stored.repeats))},
      ${texts(outcomes.map((stored) => stored.observedAt?.toISOString() ?? null))}::timestamptz[],
      ${bigints(outcomes.map(({ given }) => given?.answerId ?? null))}, ${texts(outcomes.map(({ given }) => given?.newestDay ?? null))}::date[],
      ${texts(outcomes.map(({ given }) => given?.relations ?? null))}, ${texts(outcomes.map(({ given }) => given?.matches ?? null))},
      ${texts(outcomes.map(({ extent }) => (extent.partial ? (extent.partialReason ?? 'page_failed') : null)))},
      ${ints(outcomes.map(({ extent }) => extent.uncertainAdvertisers ?? null))},
      ${booleans(outcomes.map(({ lookupId }) => begun.has(lookupId)))}, ${bigints(outcomes.map(({ claim }) => claim.chunkId))})
    AS e(id, outcome, reason, source, matched_by, ads_count, charged_micro, email_status, source_results, partial, truncated,
      estimate_low, estimate_high, repeats, observed_at, answer_id, newest_day, relations, matches, partial_reason,
      uncertain_advertisers, is_begun, chunk_id)`;
}

/** Inserts the ended lookups with the subjects of their blocks. In the order of ids, so that the primary key grows at its end. */
function insertSql(waiting: readonly StoredOutcome[]): SQL {
  const claims = [...new Set(waiting.map(({ claim }) => claim))];
  const subjects = claims.map((claim) => sql`(${lockedSubjectsSql(rangeOf(claim, waiting))})`);
  return sql`INSERT INTO nightshift.lookups (id, account_id, batch_id, operation, subject_key, company_domain, company_name, email, outcome,
      reason, source, matched_by, ads_count, charged_micro, ended_at, source_results, partial, truncated, estimate_low, estimate_high,
      repeats, observed_at, answer_id, newest_day, relations, matches, partial_reason, uncertain_advertisers)
    SELECT w.id, w.account_id, w.batch_id, w.operation, w.subject_key, w.company_domain, w.company_name, w.email, e.outcome, e.reason, e.source,
      e.matched_by, e.ads_count, e.charged_micro, now(), e.source_results::jsonb, e.partial, e.truncated, e.estimate_low,
      e.estimate_high, e.repeats, e.observed_at, e.answer_id, e.newest_day, e.relations::text[],
      e.matches::bigint[], e.partial_reason, e.uncertain_advertisers
    FROM e JOIN (${sql.join(subjects, sql` UNION ALL `)}) w ON w.id = e.id
    WHERE NOT e.is_begun ORDER BY w.id
    RETURNING id`;
}

function rangeOf(claim: Claim, waiting: readonly StoredOutcome[]): LookupRange {
  const ids = waiting.flatMap((stored) => (stored.claim === claim ? [stored.lookupId] : []));
  const { batchId, operation } = claim;
  return { batchId, operation, from: ids.reduce(smaller), to: ids.reduce(larger) };
}

const smaller = (one: bigint, other: bigint) => (one < other ? one : other);
const larger = (one: bigint, other: bigint) => (one > other ? one : other);

const updateSql = sql`UPDATE nightshift.lookups l SET outcome = e.outcome, reason = e.reason, source = e.source,
    matched_by = e.matched_by, ads_count = e.ads_count, charged_micro = e.charged_micro, ended_at = now(),
    source_results = e.source_results::jsonb, partial = e.partial, truncated = e.truncated, estimate_low = e.estimate_low,
    estimate_high = e.estimate_high, repeats = e.repeats, observed_at = e.observed_at, answer_id = e.answer_id,
    newest_day = e.newest_day, relations = e.relations::text[], matches = e.matches::bigint[], partial_reason = e.partial_reason,
    uncertain_advertisers = e.uncertain_advertisers
  FROM e WHERE e.is_begun AND l.id = e.id
  RETURNING l.id`;
