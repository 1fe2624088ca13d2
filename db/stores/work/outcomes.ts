import assert from 'node:assert/strict';
import { sql, type SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { wholeExtent, type Extent, type RepeatedAnswer } from '../../../src/core/ads/ads-answer.ts';
import { failpoint } from '../../../src/core/failpoint.ts';
import { chargeFor } from '../../../src/core/credits/price-book.ts';
import { LeaseLost } from '../../../src/core/errors.ts';
import type { EmailStatus } from '../../../src/core/emails/verdict/verdict.ts';
import type { AskedSource, LookupResult, Outcome, OutcomeStore } from '../../../src/core/work/outcomes.ts';
import type { Claim } from '../../../src/core/work/claim.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { notifySql } from '../../connection/notifier.ts';
import { bigints, booleans, ints, texts } from '../sql/arrays.ts';
import { resolveCredits } from '../credits/ledger.ts';
import { lockedSubjectsSql } from '../sql/open-lookups.ts';
import { addCountsSql, countsSql, endedNowSql, endedSql } from '../sql/chunk-counts.ts';
import { readEarlier, type EarlierAnswer } from './earlier-answers.ts';
import { referToAnswers, type GivenAds } from '../ads/refer-to-answers.ts';
import { storeVerdicts } from '../emails/store-verdicts.ts';

/**
 * The exactly-once commit (docs/architecture/decisions/0004-exactly-once-commit.md): one transaction, guarded by the fencing
 * token of the claim and by the previous state.
 */
export function createOutcomeStore(db: NodePgDatabase): OutcomeStore {
  return {
    commit: (claim, results) =>
      withDatabase(async () => {
        await db.transaction((transaction) => commitResults(transaction, claim, results));
        failpoint('commit:committed');
      }),
  };
}

/**
 * Commits in the caller's transaction. `beforeSettling` does what else belongs to it, and receives the outcomes; the
 * account is locked after it.
 *
 * @throws LeaseLost
 */
export async function commitResults(
  db: Sql,
  claim: Claim,
  results: readonly LookupResult[],
  beforeSettling: (outcomes: readonly StoredOutcome[]) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const { open, begun } = await lockOpen(db, claim, results);
  failpoint('commit:chunk-locked');
  if (open.length === 0) return;
  const given = await referToAnswers(db, claim.accountId, open);
  const earlier = await readEarlier(db, open);
  const outcomes = open.map((result) =>
    withAsked(outcomeOf(result, given.get(result.lookupId) ?? noAds, earlier), result.asked ?? []),
  );
  await storeVerdicts(db, open);
  failpoint('commit:ads-linked');
  await writeOutcomes(db, claim, outcomes, begun);
  failpoint('commit:outcomes-written');
  await beforeSettling(outcomes);
  // Last, because it locks the account: every other charge of it waits from here to the COMMIT.
  await settle(db, claim, outcomes);
  failpoint('commit:settled');
}

/** Outcome of a lookup as it is stored. */
export interface StoredOutcome {
  readonly lookupId: bigint;
  readonly outcome: Outcome;
  /** Verdict of an address. */
  readonly emailStatus: EmailStatus | null;
  readonly reason: string | null;
  readonly source: string | null;
  readonly matchedBy: string | null;
  readonly adsCount: number;
  readonly extent: Extent;
  /** The lookup whose answer is reused, and the time of that answer. */
  readonly repeats: bigint | null;
  readonly observedAt: Date | null;
  /** Answers of all sources, as JSON; null where source and outcome imply them. */
  readonly asked: string | null;
}

interface OpenResults {
  readonly open: readonly LookupResult[];
  /** Lookups among them that have a row already: those of requests, of retries, and those with an unfinished try. */
  readonly begun: ReadonlySet<bigint>;
}

/**
 * The results whose lookups are still open, with the chunk locked; see `db/sql/work.sql`.
 *
 * @throws LeaseLost
 */
async function lockOpen(db: Sql, claim: Claim, results: readonly LookupResult[]): Promise<OpenResults> {
  const lookups = bigints(results.map((result) => result.lookupId));
  const locked = await db.execute<{ open: readonly string[] | null; begun: readonly string[] | null }>(
    sql`SELECT open, begun FROM nightshift.lock_open_lookups(${claim.chunkId}, ${claim.token}, ${lookups})`,
  );
  const { open = null, begun = null } = locked.rows[0] ?? {};
  if (open === null) {
    throw new LeaseLost(`Chunk ${claim.chunkId} belongs to another worker now, which writes its results.`);
  }
  const ids = new Set(open.map(BigInt));
  return {
    open: results.filter((result) => ids.has(result.lookupId)),
    begun: new Set((begun ?? []).map(BigInt)),
  };
}

const noAds: GivenAds = { ads: 0, total: 0 };

type BareOutcome = Omit<StoredOutcome, 'asked'>;

/** `found` requires ads in the store: a snapshot that was emptied since the match gives `none`. */
function outcomeOf(
  { lookupId, source, answer }: LookupResult,
  { ads: adsCount, total }: GivenAds,
  earlier: ReadonlyMap<bigint, EarlierAnswer>,
): BareOutcome {
  const rest = {
    lookupId,
    source,
    matchedBy: 'matchedBy' in answer ? answer.matchedBy : null,
    adsCount,
    extent:
      answer.kind === 'found' ? (answer.extent ?? wholeExtent) : extentOfGiven({ ads: adsCount, total }),
    reason: null,
    emailStatus: null,
    repeats: null,
    observedAt: null,
  };
  switch (answer.kind) {
    case 'failed':
      return { ...rest, outcome: 'failed', reason: answer.reason };
    case 'completed':
      return { ...rest, outcome: 'completed', emailStatus: answer.verdict.status };
    case 'found':
    case 'stored':
      return { ...rest, outcome: adsCount > 0 ? 'found' : 'none' };
    case 'repeated':
      return { ...rest, ...repeatOf(answer, earlier) };
    default:
      return { ...rest, outcome: answer.kind };
  }
}

/** Extent of ads from our own data, which are counted exactly. */
function extentOfGiven({ ads, total }: GivenAds): Extent {
  return ads < total
    ? { ...wholeExtent, truncated: true, estimate: { low: total, high: total } }
    : wholeExtent;
}

function repeatOf(
  { lookupId: repeats }: RepeatedAnswer,
  earlier: ReadonlyMap<bigint, EarlierAnswer>,
): EarlierAnswer & Pick<StoredOutcome, 'repeats'> {
  const answer = earlier.get(repeats);
  assert(answer !== undefined, `Lookup ${repeats}, whose answer was to be shown again, is gone.`);
  return { ...answer, repeats };
}

function withAsked(stored: BareOutcome, asked: readonly AskedSource[]): StoredOutcome {
  const reported = asked.map((each) =>
    each.reported === 'stored' ? { ...each, reported: stored.outcome } : each,
  );
  const isPlain =
    reported.length === 1 && reported[0]?.reported === stored.outcome && reported[0].source === stored.source;
  return { ...stored, asked: isPlain || reported.length === 0 ? null : JSON.stringify(reported) };
}

/**
 * Writes the outcomes and counts them in the chunk. The last one completes the chunk and notifies the dispatcher.
 *
 * A lookup that waits in a block gets its row, once and for good; one that has a row is updated. Guarded by `lockOpen`, by the primary key and
 * by the trigger `outcome_is_final`, not by a condition of its own: statistics from a moment when every lookup had ended make
 * `outcome IS NULL` look like one row, and the join a loop over all of them (measured: 3 s for a chunk instead of 10 ms).
 */
async function writeOutcomes(
  db: Sql,
  claim: Claim,
  outcomes: readonly StoredOutcome[],
  begun: ReadonlySet<bigint>,
): Promise<void> {
  const isDone = sql`${endedSql} + c.moved_on + e.all_of = c.lookups`;
  const written = await db.execute<{ ended: number }>(
    sql`WITH e AS (${endsSql(claim, outcomes, begun)}),
      ended AS (
        ${begun.size < outcomes.length ? insertSql(claim, outcomes) : sql`SELECT NULL::bigint AS id WHERE false`}
      ), updated AS (
        ${begun.size > 0 ? updateSql : sql`SELECT NULL::bigint AS id WHERE false`}
      ), counts AS (
        SELECT (SELECT count(*) FROM ended)::integer + (SELECT count(*) FROM updated)::integer AS all_of, ${countsSql},
          sum(charged_micro)::bigint AS charged_micro
        FROM (SELECT coalesce(e.email_status, e.outcome) AS "end", e.charged_micro FROM e) s
      ), counted AS (
        UPDATE nightshift.chunks c SET ${addCountsSql}, charged_micro = c.charged_micro + e.charged_micro, ${endedNowSql},
          state = CASE WHEN ${isDone} THEN 'done' ELSE c.state END,
          token = CASE WHEN ${isDone} THEN NULL ELSE c.token END,
          lease_until = CASE WHEN ${isDone} THEN NULL ELSE c.lease_until END
        FROM counts e WHERE c.id = ${claim.chunkId}
        RETURNING e.all_of, c.state, c.batch_id
      )
      SELECT all_of AS ended, CASE WHEN state = 'done' AND batch_id IS NOT NULL THEN ${notifySql} END FROM counted`,
  );
  assert.equal(written.rows[0]?.ended, outcomes.length, 'A lookup was deleted while its chunk was locked.');
}

function endsSql(claim: Claim, outcomes: readonly StoredOutcome[], begun: ReadonlySet<bigint>): SQL {
  return sql`SELECT * FROM unnest(${bigints(outcomes.map((stored) => stored.lookupId))}, ${texts(outcomes.map((stored) => stored.outcome))},
      ${texts(outcomes.map((stored) => stored.reason))}, ${texts(outcomes.map((stored) => stored.source))},
      ${texts(outcomes.map((stored) => stored.matchedBy))}, ${ints(outcomes.map((stored) => stored.adsCount))},
      ${bigints(outcomes.map((stored) => chargeFor(stored, claim.priceMicro)))}, ${texts(outcomes.map((stored) => stored.emailStatus))},
      ${texts(outcomes.map((stored) => stored.asked))}, ${booleans(outcomes.map(({ extent }) => extent.partial))},
      ${booleans(outcomes.map(({ extent }) => extent.truncated))}, ${bigints(outcomes.map(({ extent }) => extent.estimate?.low ?? null))},
      ${bigints(outcomes.map(({ extent }) => extent.estimate?.high ?? null))}, ${bigints(outcomes.map((stored) => stored.repeats))},
      ${texts(outcomes.map((stored) => stored.observedAt?.toISOString() ?? null))}::timestamptz[],
      ${booleans(outcomes.map(({ lookupId }) => begun.has(lookupId)))})
    AS e(id, outcome, reason, source, matched_by, ads_count, charged_micro, email_status, source_results, partial, truncated,
      estimate_low, estimate_high, repeats, observed_at, is_begun)`;
}

/** Inserts the ended lookups with the subjects of their blocks. In the order of ids, so that the primary key grows at its end. */
function insertSql({ batchId, operation }: Claim, outcomes: readonly StoredOutcome[]): SQL {
  const ids = outcomes.map(({ lookupId }) => lookupId);
  const range = { from: ids.reduce(smaller), to: ids.reduce(larger) };
  return sql`INSERT INTO nightshift.lookups (id, account_id, batch_id, operation, subject_key, company_domain, company_name, email, outcome,
      reason, source, matched_by, ads_count, charged_micro, ended_at, source_results, partial, truncated, estimate_low, estimate_high,
      repeats, observed_at)
    SELECT w.id, w.account_id, w.batch_id, w.operation, w.subject_key, w.company_domain, w.company_name, w.email, e.outcome, e.reason, e.source,
      e.matched_by, e.ads_count, e.charged_micro, now(), e.source_results::jsonb, e.partial, e.truncated, e.estimate_low,
      e.estimate_high, e.repeats, e.observed_at
    FROM e JOIN (${lockedSubjectsSql({ batchId, operation, ...range })}) w ON w.id = e.id
    WHERE NOT e.is_begun ORDER BY w.id
    RETURNING id`;
}

const smaller = (one: bigint, other: bigint) => (one < other ? one : other);
const larger = (one: bigint, other: bigint) => (one > other ? one : other);

const updateSql = sql`UPDATE nightshift.lookups l SET outcome = e.outcome, reason = e.reason, source = e.source,
    matched_by = e.matched_by, ads_count = e.ads_count, charged_micro = e.charged_micro, ended_at = now(),
    source_results = e.source_results::jsonb, partial = e.partial, truncated = e.truncated, estimate_low = e.estimate_low,
    estimate_high = e.estimate_high, repeats = e.repeats, observed_at = e.observed_at
  FROM e WHERE e.is_begun AND l.id = e.id
  RETURNING l.id`;

async function settle(db: Sql, claim: Claim, outcomes: readonly StoredOutcome[]): Promise<void> {
  if (claim.priceMicro === 0n) return;
  const statuses = await resolveCredits(
    db,
    claim.accountId,
    outcomes.map((stored) => ({
      lookupId: stored.lookupId,
      attempt: claim.attempt,
      amountMicro: chargeFor(stored, claim.priceMicro),
    })),
  );
  // The lookups were open and the chunk is locked, so anything else means that the ledger and the lookups disagree.
  const odd = statuses.findIndex((status) => status !== 'settled' && status !== 'released');
  assert(
    odd === -1 && statuses.length === outcomes.length,
    `The ledger answered ${statuses[odd] ?? 'nothing'} for lookup ${outcomes[odd]?.lookupId ?? '?'} of chunk ${claim.chunkId}.`,
  );
}
