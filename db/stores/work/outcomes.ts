import assert from 'node:assert/strict';
import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import {
  wholeExtent,
  type Extent,
  type RepeatedAnswer,
  type StoredAds,
} from '../../../src/core/ads/ads-answer.ts';
import { failpoint } from '../../../src/core/failpoint.ts';
import { chargeFor } from '../../../src/core/credits/price-book.ts';
import { LeaseLost } from '../../../src/core/errors.ts';
import type { LookupResult, OutcomeStore } from '../../../src/core/work/outcomes.ts';
import type { Claim } from '../../../src/core/work/claim.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { sendLast, sendTogether } from '../../connection/short-transaction.ts';
import { bigints, ints, texts } from '../sql/arrays.ts';
import { readEarlier, type EarlierAnswer } from './earlier-answers.ts';
import { storeFoundDetails } from '../ads/ad-details.ts';
import { insertMatchesSql } from '../ads/advertiser-matches.ts';
import { storeAnswers, type GivenAnswer } from '../ads/store-answers.ts';
import { storeVerdicts } from '../emails/store-verdicts.ts';
import { writeOutcomes, type StoredOutcome } from './write-outcomes.ts';

/**
 * The exactly-once commit (docs/architecture/decisions/0004-exactly-once-commit.md): one transaction, guarded by the fencing
 * token of the claim and by the previous state.
 */
export function createOutcomeStore(db: NodePgDatabase): OutcomeStore {
  return {
    commit: (claim, results) =>
      withDatabase(async () => {
        await db.transaction((transaction) => commitResults(transaction, [{ claim, results }]));
        failpoint('commit:committed');
      }),
  };
}

/** Results of a claim, to commit. */
export interface ClaimResults {
  readonly claim: Claim;
  readonly results: readonly LookupResult[];
}

/**
 * Commits results of several claims in the caller's transaction, all or nothing. `beforeSettling` does what else belongs to it, and
 * receives the outcomes; the accounts are locked after it.
 *
 * @throws LeaseLost if any of the claims is lost.
 */
export async function commitResults(
  db: Sql,
  commits: readonly ClaimResults[],
  beforeSettling: (outcomes: readonly StoredOutcome[]) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const { open, begun } = await lockOpen(db, commits);
  failpoint('commit:chunk-locked');
  if (open.length === 0) return;
  const given = await storeAnswers(db, open);
  await storeFoundDetails(db, open);
  const earlier = await readEarlier(db, open);
  const outcomes = open.map((result) =>
    withAsked(outcomeOf(result, given.get(result.lookupId) ?? null, earlier), result),
  );
  await storeVerdicts(db, open);
  failpoint('commit:ads-linked');
  await sendTogether(db, [
    () => writeOutcomes(db, outcomes, begun, insertMatchesSql(open)),
    () => beforeSettling(outcomes),
  ]);
  failpoint('commit:outcomes-written');
  // Last, because it locks the accounts: every other charge of them waits from here to the COMMIT.
  await settle(db, outcomes);
  failpoint('commit:settled');
}

/** An open lookup with its claim. */
interface OpenResult extends LookupResult {
  readonly claim: Claim;
}

interface OpenResults {
  readonly open: readonly OpenResult[];
  /** Lookups among them that have a row already: those of requests, of retries, and those with an unfinished try. */
  readonly begun: ReadonlySet<bigint>;
}

/**
 * The results whose lookups are still open, with the chunks locked; see `db/sql/work.sql`.
 *
 * @throws LeaseLost
 */
async function lockOpen(db: Sql, commits: readonly ClaimResults[]): Promise<OpenResults> {
  const all = commits.flatMap(({ claim, results }) => results.map((result) => ({ ...result, claim })));
  const chunkIds = commits.map(({ claim }) => claim.chunkId);
  const locked = await db.execute<{ open: readonly string[] | null; begun: readonly string[] | null }>(
    sql`SELECT open, begun FROM nightshift.lock_open_lookups(${bigints(chunkIds)},
      ${texts(commits.map(({ claim }) => claim.token))}::uuid[], ${bigints(all.map((result) => result.lookupId))})`,
  );
  const { open = null, begun = null } = locked.rows[0] ?? {};
  if (open === null) {
    throw new LeaseLost(
      chunkIds.length === 1
        ? `Chunk ${chunkIds.join()} belongs to another worker now, which writes its results.`
        : `One of the chunks ${chunkIds.join(', ')} belongs to another worker now, which writes its results.`,
    );
  }
  const ids = new Set(open.map(BigInt));
  return {
    open: all.filter((result) => ids.has(result.lookupId)),
    begun: new Set((begun ?? []).map(BigInt)),
  };
}

type BareOutcome = Omit<StoredOutcome, 'asked' | 'claim'>;

/** `found` requires ads in the store: a snapshot that was emptied since the match gives `none`. */
function outcomeOf(
  { lookupId, source, answer }: LookupResult,
  given: GivenAnswer | null,
  earlier: ReadonlyMap<bigint, EarlierAnswer>,
): BareOutcome {
  const rest = {
    lookupId,
    source,
    matchedBy: 'matchedBy' in answer ? answer.matchedBy : null,
    given,
    extent: answer.kind === 'found' ? (answer.extent ?? wholeExtent) : extentOfGiven(given, answer),
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
      return { ...rest, outcome: given === null ? 'none' : 'found' };
    case 'repeated':
      return { ...rest, ...repeatOf(answer, earlier) };
    default:
      return { ...rest, outcome: answer.kind };
  }
}

/** Extent of ads from our own data, which are counted exactly. */
function extentOfGiven(given: GivenAnswer | null, answer: LookupResult['answer']): Extent {
  if (given === null) return wholeExtent;
  const { ads, total } = given;
  const extent = answer.kind === 'stored' ? extentOfStored(answer) : wholeExtent;
  return ads < total ? { ...extent, truncated: true, estimate: { low: total, high: total } } : extent;
}

/** Advertisers that may belong to the company make the answer partial. */
function extentOfStored({ candidates = [], isBounded = false }: StoredAds): Extent {
  if (candidates.length === 0 && !isBounded) return wholeExtent;
  return {
    ...wholeExtent,
    partial: true,
    partialReason: isBounded ? 'too_many_advertisers' : 'uncertain_advertisers',
    ...(candidates.length === 0 ? {} : { uncertainAdvertisers: candidates.length }),
  };
}

function repeatOf(
  { lookupId: repeats }: RepeatedAnswer,
  earlier: ReadonlyMap<bigint, EarlierAnswer>,
): EarlierAnswer & Pick<StoredOutcome, 'repeats'> {
  const answer = earlier.get(repeats);
  assert(answer !== undefined, `Lookup ${repeats}, whose answer was to be shown again, is gone.`);
  return { ...answer, repeats };
}

function withAsked(stored: BareOutcome, { claim, asked = [] }: OpenResult): StoredOutcome {
  const reported = asked.map((each) =>
    each.reported === 'stored' ? { ...each, reported: stored.outcome } : each,
  );
  const isPlain =
    reported.length === 1 && reported[0]?.reported === stored.outcome && reported[0].source === stored.source;
  return { ...stored, claim, asked: isPlain || reported.length === 0 ? null : JSON.stringify(reported) };
}

/** Ends the holds; see `db/sql/work.sql`. */
async function settle(db: Sql, outcomes: readonly StoredOutcome[]): Promise<void> {
  const charged = outcomes.filter(({ claim }) => claim.priceMicro > 0n);
  if (charged.length === 0) return;
  await sendLast(
    db,
    sql`SELECT nightshift.settle_lookups(${bigints(charged.map(({ claim }) => claim.accountId))},
      ${bigints(charged.map(({ lookupId }) => lookupId))}, ${ints(charged.map(({ claim }) => claim.attempt))},
      ${bigints(charged.map((stored) => chargeFor(stored, stored.claim.priceMicro)))})`,
  );
}
