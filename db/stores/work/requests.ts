import { eq, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { anySearch, type SearchOptions } from '../../../src/core/ads/ads-answer.ts';
import type { RequestStore, SearchRequest, StoredAnswer } from '../../../src/core/sources/search-ads.ts';
import { formatCredits } from '../../../src/core/credits/credits.ts';
import { chargeFor, type Operation } from '../../../src/core/credits/price-book.ts';
import type {
  EmailRequestStore,
  ValidatedEmail,
  ValidationRequest,
} from '../../../src/core/validation/validate-request.ts';
import { recheckAt } from '../../../src/core/validation/recheck.ts';
import type { EmailVerdict } from '../../../src/core/emails/verdict/verdict.ts';
import { InsufficientCredits, LeaseLost } from '../../../src/core/errors.ts';
import type { StoredResponse } from '../../../src/core/accounts/stored-response.ts';
import type { LookupResult } from '../../../src/core/work/outcomes.ts';
import type { AdsClaim, EmailClaim } from '../../../src/core/work/claim.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { lookups } from '../../schema/lookups.ts';
import { keepAnswer } from '../accounts/stored-responses.ts';
import { commitResults, type StoredOutcome } from './outcomes.ts';
import { readAdsOf } from '../ads/read-ads.ts';
import { addRecheck } from '../emails/rechecks.ts';

/** Single searches and validations: a lookup and a chunk of one each, claimed by the caller and never queued. */
export function createRequestStore(db: NodePgDatabase): RequestStore & EmailRequestStore {
  const answering = <T>(answer: (transaction: Sql) => Promise<T>) =>
    withDatabase(() => db.transaction(answer));
  return {
    open: (request, leaseMs) => withDatabase(() => openSearch(db, request, leaseMs)),
    answer: (claim, result, kept) => answering((sql) => answerSearch(sql, claim, result, kept)),
    openValidation: (request, leaseMs) => withDatabase(() => openValidation(db, request, leaseMs)),
    answerValidation: (claim, verdict, kept) =>
      answering((sql) => answerValidation(sql, claim, verdict, kept)),
  };
}

/** Opens the claim of a new lookup, whose state is known without a query. */
async function openSearch(db: Sql, request: SearchRequest, leaseMs: number): Promise<AdsClaim> {
  const { requestId, company, sources, search } = request;
  const { key, domain, name } = company;
  const claimed = await openRequest(db, request, leaseMs, 'ads_search', { key, domain, name, email: null });
  const { lookupId } = claimed;
  await noteSearch(db, lookupId, search);
  const requestKey = `${requestId}-${lookupId}`;
  return {
    ...claimed,
    operation: 'ads_search',
    sources,
    search,
    lookups: [{ lookupId, company, requestKey, tries: 0, earlier: [], reported: [], repliesOnly: false }],
  };
}

/** Ensures that only a search with the same options reuses the answer. */
async function noteSearch(db: Sql, lookupId: bigint, search: SearchOptions): Promise<void> {
  if (search === anySearch) return;
  await db.update(lookups).set({ search }).where(eq(lookups.id, lookupId));
}

async function openValidation(db: Sql, request: ValidationRequest, leaseMs: number): Promise<EmailClaim> {
  const { key, email } = request.address;
  const subject = { key, domain: null, name: null, email };
  const claimed = await openRequest(db, request, leaseMs, 'email_validation', subject);
  return {
    ...claimed,
    operation: 'email_validation',
    lookups: [{ lookupId: claimed.lookupId, email, tries: 0 }],
  };
}

interface Subject {
  readonly key: string;
  readonly domain: string | null;
  readonly name: string | null;
  readonly email: string | null;
}

/** One round trip; see `db/sql/work.sql`. */
async function openRequest(
  db: Sql,
  { accountId, requestId }: { readonly accountId: number; readonly requestId: string },
  leaseMs: number,
  operation: Operation,
  { key, domain, name, email }: Subject,
) {
  const opened = await db.execute<{
    chunk_id: string;
    token: string;
    lookup_id: string | null;
    price_micro: string;
  }>(
    sql`SELECT chunk_id, token, lookup_id, price_micro FROM nightshift.open_request(${accountId}, ${requestId}, ${operation},
      ${key}, ${domain}, ${name}, ${email}, ${Math.ceil(leaseMs)})`,
  );
  const [row] = opened.rows;
  if (row === undefined) throw new Error('A request was opened and not answered.');
  const priceMicro = BigInt(row.price_micro);
  if (row.lookup_id === null) throw belowPrice(priceMicro);
  return {
    lookupId: BigInt(row.lookup_id),
    chunkId: Number(row.chunk_id),
    generation: 1,
    token: row.token,
    accountId,
    batchId: null,
    priceMicro,
    attempt: 1,
  };
}

function belowPrice(priceMicro: bigint): InsufficientCredits {
  return new InsufficientCredits(
    `The balance is below the price of a result (${formatCredits(priceMicro)} credits); nothing was looked up. ` +
      'Add credits with `nightshift credits grant AMOUNT --reason TEXT`.',
  );
}

async function answerSearch(
  db: Sql,
  claim: AdsClaim,
  result: LookupResult,
  kept: StoredResponse<StoredAnswer> | null,
): Promise<StoredAnswer> {
  let answer: StoredAnswer | undefined;
  await commitResults(db, claim, [result], async ([stored]) => {
    if (stored === undefined) return;
    answer = await readAnswer(db, claim, stored);
    await keepAnswer(db, kept, answer);
  });
  if (answer === undefined) throw endedOtherwise(result.lookupId);
  return answer;
}

/** The answer as just stored, with the ads of the store. */
async function readAnswer(
  db: Sql,
  { lookups, priceMicro }: AdsClaim,
  stored: StoredOutcome,
): Promise<StoredAnswer> {
  const { lookupId, outcome, reason, source, matchedBy, observedAt, extent } = stored;
  const lookup = lookups.find((each) => each.lookupId === lookupId);
  if (lookup === undefined || outcome === 'completed')
    throw new Error(`Lookup ${lookupId} is not of this claim.`);
  return {
    lookupId,
    company: lookup.company,
    outcome,
    reason,
    source,
    matchedBy,
    ads: (await readAdsOf(db, [lookupId])).get(lookupId) ?? [],
    partial: extent.partial,
    truncated: extent.truncated,
    estimate: extent.estimate,
    chargedMicro: chargeFor(stored, priceMicro),
    observedAt,
  };
}

async function answerValidation(
  db: Sql,
  claim: EmailClaim,
  verdict: EmailVerdict,
  kept: StoredResponse<ValidatedEmail> | null,
): Promise<ValidatedEmail> {
  const [lookup] = claim.lookups;
  if (lookup === undefined) throw new Error(`The claim of chunk ${claim.chunkId} has no lookup.`);
  let answer: ValidatedEmail | undefined;
  const result: LookupResult = {
    lookupId: lookup.lookupId,
    source: null,
    answer: { kind: 'completed', verdict },
  };
  await commitResults(db, claim, [result], async ([stored]) => {
    if (stored === undefined) return;
    answer = { verdict, chargedMicro: chargeFor(stored, claim.priceMicro) };
    const dueAt = recheckAt(verdict);
    if (dueAt !== null) await addRecheck(db, lookup.lookupId, dueAt);
    await keepAnswer(db, kept, answer);
  });
  if (answer === undefined) throw endedOtherwise(lookup.lookupId);
  return answer;
}

function endedOtherwise(lookupId: bigint): LeaseLost {
  return new LeaseLost(`Lookup ${lookupId} has ended otherwise by now.`);
}
